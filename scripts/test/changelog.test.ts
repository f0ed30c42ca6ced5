import { expect, test } from 'vitest'

import { releaseChangelog } from '../changelog.ts'

const head = '# Changelog\n\n## [Unreleased]\n'
const entries = '\n### Added\n\n- A client.\n'
const older = '\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- A start.\n'

test('what was unreleased moves under its version', () => {
  expect(releaseChangelog(head + entries + older, '0.2.0', '2026-02-02')).toBe(
    `${head}\n## [0.2.0] - 2026-02-02\n${entries}${older}`,
  )
})

test('the first release needs no older one', () => {
  expect(releaseChangelog(head + entries, '0.2.0', '2026-02-02')).toBe(
    `${head}\n## [0.2.0] - 2026-02-02\n${entries}`,
  )
})

test('a release without entries is refused, whatever older releases say', () => {
  expect(() => releaseChangelog(head + older, '0.2.0', '2026-02-02')).toThrow('no entry')
})

test('a version is released once', () => {
  expect(() => releaseChangelog(head + entries + older, '0.1.0', '2026-02-02')).toThrow(
    'already has a section for 0.1.0',
  )
})

test('a changelog without the place for new entries is refused', () => {
  expect(() => releaseChangelog('# Changelog\n', '0.2.0', '2026-02-02')).toThrow('has no line')
})
