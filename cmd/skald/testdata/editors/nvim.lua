-- Asks Neovim's client what docs/editors.md promises of `skald lsp`. It runs in a folder with mine.fut, in which one name is wrong, and
-- ends with status 1 where an answer is missing.
local buffer

local function check(what, f)
  local answer
  local ok, err = pcall(function()
    vim.wait(20000, function() answer = f() return answer and true or false end, 20)
  end)
  print((answer and "ok " or "MISSING ") .. what .. (ok and "" or ": " .. tostring(err)))
  if not answer then vim.cmd("cquit") end
  return answer
end

-- at puts the cursor on a text's nth character.
local function at(text, nth)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local from = line:find(text, 1, true)
    if from then return vim.api.nvim_win_set_cursor(0, { i, from - 1 + (nth or 0) }) end
  end
  error("there is no " .. text)
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") end
local function press(keys) vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "mx", false) end
local function shown() -- the text of all windows but this one
  local all = {}
  for _, w in ipairs(vim.api.nvim_list_wins()) do
    local b = vim.api.nvim_win_get_buf(w)
    if b ~= buffer then vim.list_extend(all, vim.api.nvim_buf_get_lines(b, 0, -1, false)) end
  end
  return table.concat(all, "\n")
end

vim.cmd.edit("mine.fut")
buffer = vim.api.nvim_get_current_buf()
check("the file type", function() return vim.bo.filetype == "futhark" end)
check("diagnostics", function()
  return vim.iter(vim.diagnostic.get(buffer)):any(function(d) return d.message:find('Unknown name "twicee"', 1, true) end)
end)

-- gra offers corrections; the first is taken.
vim.ui.select = function(items, _, choose) choose(items[1], 1) end
at("twicee")
press("gra")
check("gra corrects", function() return text():find("twice (twice n)", 1, true) end)
check("no diagnostics are left", function() return #vim.diagnostic.get(buffer) == 0 end)

at("twice (twice")
press("K")
check("K shows the type and the comment", function() return shown():find("i32", 1, true) and shown():find("Twice a number", 1, true) end)

at("twice (twice")
vim.lsp.buf.definition()
check("definition", function() return vim.api.nvim_win_get_cursor(0)[1] == 2 end)

press("grr")
check("grr lists uses", function() return #vim.fn.getqflist() == 3 end)
vim.cmd("cclose")
vim.api.nvim_set_current_buf(buffer)

press("gO")
check("gO lists definitions", function() return #vim.fn.getloclist(0) == 2 end)
vim.cmd("lclose")
vim.api.nvim_set_current_buf(buffer)

vim.ui.input = function(_, done) done("double") end
at("twice (x")
press("grn")
check("grn renames", function() return text():find("def double", 1, true) and text():find("double (double n)", 1, true) end)

vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { "def   last (xs: []i32) =  dou" })
vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), 28 })
check("<C-x><C-o> is the server's", function() return vim.bo.omnifunc:find("lsp") end)
check("completion", function()
  local found = vim.lsp.buf_request_sync(buffer, "textDocument/completion", vim.lsp.util.make_position_params(0, "utf-16"), 5000)
  return vim.inspect(found):find('"double"', 1, true)
end)
vim.api.nvim_buf_set_lines(buffer, -2, -1, false, { "def   last (x: i32) =  double    x" })
vim.lsp.buf.format()
check("formatting", function() return text():find("def last (x: i32) = double x", 1, true) end)
check("colours", function()
  return #(vim.lsp.semantic_tokens.get_at_pos(buffer, 1, 4) or {}) > 0
end)
vim.cmd("silent write")
print("done")
vim.cmd("quitall!")
