#!/usr/bin/env bash
# Builds heapwright from the action's own checkout, so that the version of the
# action is the version of the program, and finds the base revision. All settings
# come from the environment: no text of theirs is read as shell code.
set -euo pipefail

results=$(mktemp -d "$RUNNER_TEMP/heapwright.XXXXXX")
GOTOOLCHAIN=auto GOFLAGS='' go build -C "$SOURCE" -o "$results/" ./cmd/heapwright ./deploy/prcomment
echo "results=$results" >>"$GITHUB_OUTPUT"

# fail says why there is no result: in the log, in the summary, and in the comment,
# which would show the result of an earlier push.
fail() {
	echo "::error title=heapwright gate::$1"
	printf '### heapwright gate: no result\n\n%s\n' "$1" | tee "$results/gate.md" >>"$GITHUB_STEP_SUMMARY"
	exit 1
}

cd -- "$DIRECTORY"
if [[ -z $BASE ]]; then
	if [[ -n ${GITHUB_BASE_REF:-} && $(git rev-parse HEAD) != "$GITHUB_SHA" ]]; then
		# The head of a branch is checked out, not its merge with the base.
		if ! BASE=$(git merge-base HEAD "refs/remotes/origin/$GITHUB_BASE_REF"); then
			fail 'no common commit with the base branch is checked out: give actions/checkout fetch-depth: 0'
		fi
	else
		# The merge of a pull request, or a push: compare with the first parent.
		git rev-parse -q --verify 'HEAD^1^{commit}' >/dev/null || git fetch -q --no-tags --deepen=1 origin "$GITHUB_SHA" || true
		BASE='HEAD^1'
	fi
fi
if ! base=$(git rev-parse -q --verify --end-of-options "$BASE^{commit}"); then
	fail 'the base is not checked out: give actions/checkout fetch-depth: 2, or 0 for a base of your own'
fi

key=$(printf '%s\n' "$base" "$(go version)" "${GITHUB_ACTION_REF:-}" "$DIRECTORY" "$PACKAGES" "$BENCH" | git hash-object --stdin)
{
	echo "base=$base"
	echo "key=heapwright-${RUNNER_OS:-}-${RUNNER_ARCH:-}-$key"
	echo "stored=$RUNNER_TEMP/heapwright-$key.json"
} >>"$GITHUB_OUTPUT"
