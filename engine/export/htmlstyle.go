package export

// style is the style sheet of the page. It loads nothing; colours follow the reader's light or
// dark setting, and on paper everything that is folded is open.
const style = `
:root{color-scheme:light dark;--bg:#fbfaf8;--ink:#22201d;--dim:#7b756d;--line:#e5e0d8;--card:#fff;--user:#eef3fb;--user-edge:#5b7fc7;
--ai-edge:#c8743a;--tool-edge:#b9b2a6;--in:#3d8b6e;--under:#c9c2b6;--bare:#d2483f;--bad:#b3362d;--code:#f3f0ea;--link:#3b62ad}
@media(prefers-color-scheme:dark){:root{--bg:#191817;--ink:#e8e4de;--dim:#98928a;--line:#35322e;--card:#211f1d;--user:#1f2735;--user-edge:#7d9fe3;
--ai-edge:#dc935c;--tool-edge:#57524b;--in:#58b592;--under:#4a463f;--bare:#e0675e;--bad:#f0857c;--code:#282522;--link:#8fb0f0}}
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0 auto;max-width:66rem;padding:2.5rem 1.5rem 4rem;background:var(--bg);color:var(--ink);
font:16px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace;font-size:.86em}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem;letter-spacing:-.015em}
h2{font-size:1.15rem;margin:2.6rem 0 1rem;padding-bottom:.35rem;border-bottom:1px solid var(--line)}
.page .key{display:inline-block;background:var(--code);border-radius:4px;padding:.1rem .45rem}
.facts,.dim,.legend,footer{color:var(--dim)}.facts{margin:.5rem 0 0}.facts b{color:var(--ink)}
.chip{font-size:.72rem;font-weight:600;vertical-align:middle;border:1px solid var(--line);border-radius:99px;padding:.15rem .6rem;color:var(--dim);letter-spacing:.02em}
.chip.on{color:var(--in);border-color:var(--in)}
.map{display:grid;grid-template-columns:max-content 1fr;gap:.3rem .8rem;align-items:center;font-size:.8rem;color:var(--dim)}
.map svg{width:100%;height:16px;background:var(--code);border-radius:3px}
.map a:hover rect{opacity:.65}
rect.in{fill:var(--in)}rect.under{fill:var(--under)}rect.bare{fill:var(--bare)}
.legend{font-size:.8rem;margin:.8rem 0 0}.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin:0 .25em 0 .9em;vertical-align:-.05em}
.legend i:first-child{margin-left:0}i.in{background:var(--in)}i.under{background:var(--under)}i.bare{background:var(--bare)}
h3.depth{font-size:.85rem;color:var(--dim);font-weight:600;margin:1.4rem 0 .5rem}
details.summary{background:var(--card);border:1px solid var(--line);border-left:3px solid var(--under);border-radius:6px;padding:.55rem .9rem;margin:.45rem 0}
details.summary.shown{border-left-color:var(--in)}
details.summary:target,article:target{outline:2px solid var(--user-edge);outline-offset:2px}
details>summary{cursor:pointer;list-style-position:inside}
details.summary>summary .dim{font-size:.82rem}
details.summary>summary .first{display:block;font-size:.9rem}details.summary[open]>summary .first{display:none}
.text{margin-top:.5rem}.origin{font-size:.82rem;color:var(--dim);margin:.6rem 0 .2rem}.origin a{margin-right:.5em}
h3.day{position:sticky;top:0;z-index:1;background:var(--bg);font-size:.85rem;font-weight:600;color:var(--dim);margin:1.8rem 0 .4rem;padding:.4rem 0;border-bottom:1px dashed var(--line)}
.turn{display:grid;grid-template-columns:7.5rem minmax(0,1fr);gap:0 1.1rem;padding:.55rem 0}
.margin{display:flex;flex-direction:column;align-items:flex-end;font-size:.76rem;line-height:1.45;color:var(--dim);text-align:right}
.margin .role{font-weight:650;color:var(--ink);font-size:.84rem}.margin .shown{color:var(--in)}
.margin .seq{color:var(--dim)}.cover{color:var(--dim);opacity:.75;font-size:.7rem}
.said{border-left:3px solid var(--tool-edge);padding:.1rem 0 .1rem 1rem;min-width:0}
.user .said{background:var(--user);border-left-color:var(--user-edge);border-radius:0 8px 8px 0;padding:.55rem 1rem}
.user .role{color:var(--user-edge)}.assistant .said{border-left-color:var(--ai-edge)}.assistant .role{color:var(--ai-edge)}
.tool{padding:.15rem 0}.system .said{color:var(--dim);font-style:italic}
.said p,.text p{margin:.35rem 0;white-space:pre-wrap}.said ul,.text ul{margin:.35rem 0;padding-left:1.3rem}li{white-space:pre-wrap}.said>:first-child,.text>:first-child{margin-top:0}.said>:last-child{margin-bottom:0}
p.heading{font-weight:650;font-size:1.06em;margin-top:.9rem}
pre{background:var(--code);border-radius:6px;padding:.65rem .8rem;margin:.5rem 0;overflow-x:auto;white-space:pre-wrap;tab-size:4}
pre.table{white-space:pre}
:not(pre)>code{background:var(--code);border-radius:3px;padding:.06em .3em}summary>code{background:none!important;padding:0!important}
.fold{margin:.3rem 0;font-size:.9rem}.fold>summary{color:var(--dim);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.fold .name{color:var(--ink);font-weight:600}.call .name::before{content:"→ ";color:var(--ai-edge)}.result .name::before{content:"← ";color:var(--dim)}
.think .name{font-weight:400;font-style:italic;color:var(--dim)}
.peek{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
.failed .name,.failed .name::before{color:var(--bad)}
.fold pre{max-height:32rem;overflow:auto}
.stub{color:var(--dim);font-style:italic}
footer{font-size:.78rem;margin-top:3rem;border-top:1px solid var(--line);padding-top:.8rem}
@media(max-width:40rem){body{padding:1.2rem .9rem}.turn{grid-template-columns:1fr}.margin{flex-direction:row;gap:.6rem;align-items:baseline;margin-bottom:.2rem}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--code:#f4f4f4}body{max-width:none;padding:0;font-size:10.5pt}
details::details-content{content-visibility:visible;block-size:auto}.fold pre{max-height:none}.fold>summary{white-space:normal}
h3.day{position:static}.turn{break-inside:auto}h2,h3,.margin{break-after:avoid}}
`
