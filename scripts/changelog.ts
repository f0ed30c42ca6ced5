const unreleased = '## [Unreleased]'

/**
 * The changelog with what was unreleased now under its version, and an empty place above it for
 * what comes next. A release without a word to its users is refused.
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  if (changelog.includes(`## [${version}]`)) {
    throw new Error(`CHANGELOG.md already has a section for ${version}`)
  }
  const start = changelog.indexOf(`${unreleased}\n`)
  if (start === -1) throw new Error(`CHANGELOG.md has no line "${unreleased}"`)
  const bodyStart = start + unreleased.length
  const nextSection = changelog.indexOf('\n## [', bodyStart)
  const body = changelog.slice(bodyStart, nextSection === -1 ? undefined : nextSection)
  if (!/^- /m.test(body)) throw new Error('CHANGELOG.md has no entry under Unreleased')

  const head = changelog.slice(0, bodyStart)
  return `${head}\n\n## [${version}] - ${date}${changelog.slice(bodyStart)}`
}
