package core

// Opaque is a node that no pass has heard of. It answers all questions as the node in it does, and is none of the nodes that rules match.
type Opaque struct{ Exp }

func (o *Opaque) parts(m Mapper) Exp { return &Opaque{o.Exp.parts(m)} }

func (o *Opaque) print(p *printer) {
	p.out.WriteString("opaque ")
	o.Exp.print(p)
}
