# The server as pytest-lsp sees it, whose client follows the protocol as editors do.
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

TEXT = """-- | Adds up.
def total [n] (xs: [n]i32) : i32 = reduce (+) 0 xs
def main [n] (xs: [n]i32) : i32 = totl xs
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["SKALD"], "lsp"]))
async def client(lsp_client: LanguageClient):
    folder = "file://" + os.environ["FOLDER"]
    params = types.InitializeParams(
        capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
        workspace_folders=[types.WorkspaceFolder(uri=folder, name="folder")],
    )
    await lsp_client.initialize_session(params)
    yield lsp_client
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_session(client: LanguageClient):
    uri = "file://" + os.environ["FOLDER"] + "/a.fut"
    document = types.TextDocumentIdentifier(uri=uri)
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=uri, language_id="futhark", version=1, text=TEXT)))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    (error,) = client.diagnostics[uri]
    assert error.code == "unknown-name" and error.range.start == types.Position(line=2, character=34)

    actions = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=document, range=error.range, context=types.CodeActionContext(diagnostics=[error])))
    (edit,) = actions[0].edit.changes[uri]
    assert edit.new_text == "total"

    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
        content_changes=[types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)]))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert not client.diagnostics[uri]

    use = types.Position(line=2, character=36)
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=use))
    assert "total [n]" in hover.contents.value and "Adds up." in hover.contents.value
    (where,) = await client.text_document_definition_async(types.DefinitionParams(text_document=document, position=use))
    assert where.range.start == types.Position(line=1, character=4)
    uses = await client.text_document_references_async(types.ReferenceParams(
        text_document=document, position=use, context=types.ReferenceContext(include_declaration=True)))
    assert len(uses) == 2
    renamed = await client.text_document_rename_async(types.RenameParams(text_document=document, position=use, new_name="add"))
    assert len(renamed.changes[uri]) == 2
    items = await client.text_document_completion_async(types.CompletionParams(text_document=document, position=use))
    assert "total" in [i.label for i in items.items]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert [s.name for s in symbols] == ["total", "main"]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=document))
    assert len(tokens.data) % 5 == 0 and tokens.data
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    await client.text_document_formatting_async(types.DocumentFormattingParams(text_document=document, options=options))
