#!/usr/bin/env bash
# Upgrade vendored packages, and open a pull request whose text is `vendor --plan`, or complete an open one.
# PACKAGES: directories. BRANCH: of the pull request. NUMBER: an open pull request, whose branch is checked out; else empty.
set -euo pipefail

text="$(mktemp)"
trap 'rm -f "$text"' EXIT
read -ra packages <<<"$PACKAGES"
echo "\`acp-codegen vendor\` brought the package up to date. Effects on this project:" >"$text"
for package in "${packages[@]}"; do
    plan="$(acp-codegen vendor "$package" --plan)"
    acp-codegen vendor "$package"
    # Indented, it is a block of code whatever is in it; a text may have 65,536 characters.
    { echo; head -c 30000 <<<"$plan" | sed 's/^/    /'; } >>"$text"
done
git add -- "${packages[@]}"
if git diff --cached --quiet; then
    echo "up to date"
    exit 0
fi
if [ -z "${NUMBER:-}" ]; then git checkout --quiet -B "$BRANCH"; fi
git -c user.name="acp-codegen" -c user.email="acp-codegen@users.noreply.github.com" commit --quiet -m "Upgrade ${packages[*]}"
if [ -n "${NUMBER:-}" ]; then
    git push --quiet origin HEAD
    gh pr edit "$NUMBER" --body-file "$text"
else
    git push --quiet --force origin "HEAD:refs/heads/$BRANCH"
    number="$(gh pr list --head "$BRANCH" --state open --json number --jq '.[0].number // empty')"
    if [ -n "$number" ]; then
        gh pr edit "$number" --body-file "$text"
    else
        gh pr create --head "$BRANCH" --title "Upgrade ${packages[*]}" --body-file "$text"
    fi
fi
