/**
 * Text that would redraw a terminal, hide words, turn the direction of writing, end a line and begin another of its own
 * making, give commands to the log of a CI server, leave an element of XML or HTML, or fill the screen.
 */
export const HOSTILE = [
  "\u001b[2J\u001b]0;owned\u0007\u009b31m",
  "\u202egnorw\u200b\u2066\u{e0041}\u0000\ud800-\udfff\ufffe\uffff",
  "<script>alert(1)</script>]]>--><!--&amp;&#0;&#xFFFE;\"'</failure></pre>`|",
  "\n::error file=x::owned\r\n::add-mask::a\n  ##[add-mask]a ##vso[x]y ##teamcity[z]\u2028%0A::stop-commands::x",
  "\nok 1 - owned # TODO\nnot ok 2 # SKIP\n1..0\nBail out!\n---\n...\n",
  "x".repeat(1_000_000),
].join(" ");
