/** What shells run to complete a command line: each asks the program, `complete -- WORD…`, for candidates. */

/** Bash splits words at colons and the like, too, and puts a candidate in the place of the last part alone. */
const BASH = `_launch_draft_conformance() {
  local line=\${COMP_LINE:0:COMP_POINT} part=\${COMP_WORDS[COMP_CWORD]} words current candidate
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]} - 1]}
  [[ $part == [:=@] ]] && part=
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("\${candidate#"\${current%"$part"}"}")
  done < <("$1" complete -- "\${words[@]:1}" 2> /dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2> /dev/null; fi
}
complete -o bashdefault -o default -F _launch_draft_conformance launch-draft-conformance
`;

const ZSH = `#compdef launch-draft-conformance
_launch_draft_conformance() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( \${#candidates} == 0 )); then
    _files
  else
    compadd -- "\${(@)candidates:#*/}"
    compadd -S '' -- "\${(@M)candidates:#*/}"
  fi
}
compdef _launch_draft_conformance launch-draft-conformance
`;

const FISH = `function __launch_draft_conformance
  set -l words (commandline -opc)
  set -l program $words[1]
  set -e words[1]
  set -l current (commandline -ct)
  $program complete -- $words "$current" 2> /dev/null
end
complete -c launch-draft-conformance -a '(__launch_draft_conformance)'
`;

/** The scripts, by the name of the shell. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;

/** A shell for which there is a script. */
export type Shell = keyof typeof SCRIPTS;

/** All of them. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);
