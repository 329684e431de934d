package model
import ("testing";"strings";"time";"fmt")
func TestZZ(t *testing.T){
 for n,s:=range map[string]string{"dots":strings.Repeat(".", 300000)+"x","e.g.":strings.Repeat("No. A ", 50000),"ignore":strings.Repeat("ignore a ", 50000), "1line":strings.Repeat("/a/b.c ", 50000), "hdr":strings.Repeat("[2026-01-02 15:04 UTC | user]\n", 10000), "files": "Files: "+strings.Repeat("a/b.go, ", 20000), "dist": func()string{var b strings.Builder; for i:=range 20000{fmt.Fprintf(&b,"a/b%d.go ",i)}; return b.String()}()} {
  b:=time.Now(); d:=read(s); fmt.Println(n, len(s), time.Since(b), len(d.sentences)); b=time.Now(); extract(s, 2400*4); fmt.Println(time.Since(b)) }
}
