package interp_test
import ("testing";"fmt";"os"
"skald/frontend/check";"skald/frontend/diag";"skald/frontend/types")
func TestZZ(t *testing.T){
 var sink diag.Sink
 p,_ := check.Check(check.OS{}, os.Getenv("F"), &sink, check.Options{})
 for _,d := range p.Defs { fmt.Printf("%s rec=%v %T %s\n", d.Sym.Name, d.Recursive, d.Body, types.ExpText(d.Body))
   if a,ok := d.Body.(*types.Apply); ok { r:=a.Fun.(*types.Ref); fmt.Println("  apply", r.Sym.Name, r.Sym==d.Sym, len(d.Params)) } }
}
