package monomorphise

import "skald/frontend/types"

// A local definition is copied inside its scope, because its body sees the variables there. Its copies are made while the
// scope is rewritten, and then bound one after another in front of it.

func (m *mono) scopeOf(d *types.Def) *scope {
	for i := len(m.local) - 1; i >= 0; i-- {
		if m.local[i].def == d {
			return m.local[i]
		}
	}
	return nil
}

func (m *mono) letFun(e *types.LetFun) types.Exp {
	s := &scope{def: e.Def}
	m.defs[e.Def.Sym] = e.Def
	m.local = append(m.local, s)
	body := m.exp(e.Body)
	m.local = m.local[:len(m.local)-1]
	delete(m.defs, e.Def.Sym)
	for i := len(s.copies) - 1; i >= 0; i-- {
		body = &types.LetFun{Info: m.info(e.Info), Def: s.copies[i], Body: body}
	}
	return body
}

// keepDef is never reached: letFun handles local definitions before MapExp would.
func (m *mono) keepDef(d *types.Def) *types.Def {
	panic("monomorphise: local definition " + d.Sym.Name + " outside letFun")
}
