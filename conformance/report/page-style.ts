export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --card: #f6f7f9; --ink: #1c2128; --soft: #59636e; --line: #d5dae1;
  --passed: #1a7f37; --failed: #c21f32; --skipped: #8a6100; --error: #8a2be2; --hint: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ground: #0f1318; --card: #181d24; --ink: #e3e8ee; --soft: #97a3b0;
  --line: #303842; --passed: #4cc26b; --failed: #ff7a85; --skipped: #e0b040; --error: #c79bff; --hint: #7db8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem clamp(1rem, 4vw, 2.5rem) 3rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, p, ul, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.015em; }
h2 { margin: 2.25rem 0 0.5rem; font-size: 1.2rem; }
code, pre, dd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.85rem; }
dd code { font-size: inherit; }
pre { white-space: pre-wrap; }
pre span { display: inline-block; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: 0.2em; }
:target > td { background: var(--card); }
#tools input, #tools select, button { font: inherit; font-size: 0.85rem; color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: 4px; padding: 0.1rem 0.4rem; }
#tools input { width: min(20rem, 60vw); }
#tools small { white-space: nowrap; }
.facts { margin: 0.5rem 0; }
pre { position: relative; }
pre:has(button) { padding-right: 4.5rem !important; }
pre button { position: absolute; right: 0.4rem; top: 0.3rem; }
.exchange { padding: 0 0.9rem 0.8rem; }
.exchange pre { margin-top: 0.4rem; padding: 0.4rem 0.6rem; border-radius: 4px; background: var(--ground); }
small, .note, .kicker, footer, dt, th { color: var(--soft); }
small, .note, .kicker, footer { font-size: 0.85rem; }
.kicker { margin-bottom: 0.15rem; }
.verdict { margin: 0.9rem 0; padding: 0.6rem 0.9rem; border-left: 4px solid var(--skipped); background: var(--card);
  font-weight: 600; }
.verdict.conforms { border-color: var(--passed); }
.verdict.does-not-conform { border-color: var(--failed); }
.counts { display: flex; flex-wrap: wrap; gap: 0.35rem 1.4rem; list-style: none; font-size: 0.9rem; }
.counts b { font-size: 1.05rem; font-variant-numeric: tabular-nums; }
.none { color: var(--soft); }
.counts .passed b, summary.passed { color: var(--passed); }
.counts .failed b, summary.failed, .failure summary b { color: var(--failed); }
.counts .skipped b, summary.skipped { color: var(--skipped); }
.counts .error b, summary.error { color: var(--error); }
.policy { margin: 1rem 0 0; padding: 0.6rem 0.9rem; border: 1px solid var(--line); border-radius: 6px; }
.policy ul { padding-left: 1.2rem; }
summary { cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--hint); outline-offset: 3px; }
.failure { margin: 0.6rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
.failure summary { padding: 0.6rem 0.9rem; }
.failure summary b { margin-right: 0.4rem; }
.failure .more { margin-left: 0.4rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 1rem;
  color: var(--soft); font-size: 0.8rem; white-space: nowrap; }
.failure .id { padding: 0 0.9rem; color: var(--soft); font-size: 0.9rem; }
.failure dl { padding: 0.4rem 0.9rem 0.8rem; }
dl div { display: grid; grid-template-columns: 8rem 1fr; gap: 0.75rem; padding: 0.22rem 0; }
dt { font-size: 0.85rem; }
.expected dd { color: var(--passed); }
.got dd { color: var(--failed); }
.hint dd { color: var(--hint); font-family: inherit; }
dd pre { padding: 0.4rem 0.6rem; border-radius: 4px; background: var(--ground); }
.fold { border-top: 1px solid var(--line); }
.fold:last-of-type { border-bottom: 1px solid var(--line); }
.fold > summary { padding: 0.5rem 0; font-weight: 600; }
.scroll { overflow-x: auto; padding-bottom: 0.75rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.88rem; }
th { text-align: left; font-weight: 500; }
th, td { padding: 0.3rem 0.9rem 0.3rem 0; vertical-align: top; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; }
td:first-child { min-width: 9rem; }
th.statement, th.title, th.question { width: 70%; }
th, td:nth-child(3), td:nth-child(4) { overflow-wrap: break-word; }
td:nth-child(3), td:nth-child(4) { font-size: 0.8rem; color: var(--soft); max-width: 13rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
footer { margin-top: 2.5rem; }
@media (max-width: 40rem) { dl div { grid-template-columns: 1fr; gap: 0; padding: 0.3rem 0; }
  th:nth-child(n + 4), td:nth-child(n + 4) { display: none; } td:first-child { min-width: 6rem; } }
@media print { body { max-width: none; } }
`;
