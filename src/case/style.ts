/** Style of an exported case: light, dark, and print. */
export const CASE_STYLE = `
:root{color-scheme:light dark;--ink:#17201f;--soft:#51605e;--line:#cfd8d6;--back:#fff;--band:#f3f6f5}
@media (prefers-color-scheme:dark){:root{--ink:#e4ecea;--soft:#a3b3b0;--line:#3a4745;--back:#141a19;--band:#1c2423}}
body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0 0 1rem}dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:.85rem}
.note{border-left:3px solid var(--line);padding-left:1rem}.note pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.25rem 0}
time,caption,summary{color:var(--soft)}.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.85rem}caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
td bdi{display:inline-block;max-width:24rem;overflow-wrap:break-word}
th{background:var(--band);white-space:nowrap}td.number{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
.graph-picture{border:1px solid var(--line)}.graph-picture text{font:11px system-ui,sans-serif;fill:var(--ink);text-anchor:middle;paint-order:stroke;stroke:var(--back);stroke-width:3px}
.graph-picture .flow{fill:none;stroke:var(--soft)}.graph-picture .flow-end{fill:var(--soft)}.graph-picture .peer{fill:var(--soft)}.graph-picture .start{stroke:var(--ink);stroke-width:2}.graph-picture .peer-name{font-weight:600}.graph-picture text.legend{text-anchor:start}
.graph-picture .kind-risk{fill:light-dark(#9a4a00,#f0a35e)}.graph-picture .kind-exchange{fill:light-dark(#0b6170,#5fc9d8)}.graph-picture .kind-protocol{fill:light-dark(#4a5fa8,#93a6ee)}.graph-picture .kind-other{fill:light-dark(#7a5a8c,#c3a3d6)}
figure{margin:1rem 0}figure svg{max-width:100%;height:auto}
@media print{body{background:#fff;color:#000;font-size:10pt}main{max-width:none;padding:0}.scroll{overflow:visible}tr,figure,.note{break-inside:avoid}table{font-size:6pt}td bdi{overflow-wrap:anywhere}th{white-space:normal;overflow-wrap:anywhere}details{display:none}}
`;
