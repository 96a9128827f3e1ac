#!/usr/bin/env bash
# Runs "heapwright gate" and writes the job summary. All settings come from the
# environment: no text of theirs is read as shell code.
set -euo pipefail
set -f # a package pattern is no pattern of files

report=$RESULTS/gate.md
finish() {
	status=$?
	if [[ ! -f $report ]]; then # without it the comment would show the result of an earlier push
		printf '### heapwright gate: no result\n\nIt ended with exit code %d. The log of the job says why.\n' "$status" >"$report"
	fi
	cat "$report" >>"$GITHUB_STEP_SUMMARY"
}
trap finish EXIT

cd -- "$DIRECTORY"
args=(gate -o "$RESULTS" -markdown "$report" -junit "$RESULTS/gate.xml" -bench "$BENCH")
while IFS= read -r flag; do
	if [[ -n $flag ]]; then args+=("$flag"); fi
done <<<"$FLAGS"

if [[ $STORED_BASE == true ]]; then
	if [[ ! -f $STORED ]]; then
		tree=$RESULTS/base
		git worktree add -q --detach "$tree" "$BASE"
		# shellcheck disable=SC2086 # one word for each pattern
		"$RESULTS/heapwright" baseline -C "$tree/$(git rev-parse --show-prefix)" -bench "$BENCH" -o "$STORED" $PACKAGES
		git worktree remove --force "$tree"
	fi
	args+=(-against "$STORED")
else
	args+=(-base "$BASE")
fi
# shellcheck disable=SC2086 # one word for each pattern
"$RESULTS/heapwright" "${args[@]}" $PACKAGES
