import { describe, expect, test } from 'vitest'

import { RunOptionError, runOptionsOf } from './run-options.ts'

describe('runOptionsOf', () => {
  test('gives the defaults, with a process for each core', () => {
    const options = runOptionsOf([])
    expect(options).toMatchObject({ seeds: 100, from: 1, shrink: true })
    expect(options?.jobs).toBeGreaterThanOrEqual(1)
  })

  test('reads every option', () => {
    const args = ['--seeds', '20000', '--from', '300001', '--jobs', '2', '--no-shrink', '--first']
    expect(runOptionsOf(args)).toEqual({
      seeds: 20_000,
      from: 300_001,
      jobs: 2,
      shrink: false,
      first: true,
      learn: false,
      bug: undefined,
    })
  })

  test('finds a seeded bug by a part of its name', () => {
    const options = runOptionsOf(['--bug', 'does not read the saved offset'])
    expect(options?.bug?.name).toBe('a takeover does not read the saved offset')
  })

  test('gives nothing where help is wanted', () => {
    expect(runOptionsOf(['--help'])).toBeUndefined()
  })

  test.each([
    [['--seeds', 'many'], "--seeds: 'many' is not valid; it must be an integer ≥ 1"],
    [['--seeds', '0'], "--seeds: '0' is not valid; it must be an integer ≥ 1"],
    [['--jobs', '1.5'], "--jobs: '1.5' is not valid; it must be an integer ≥ 1"],
    [['--from=-1'], "--from: '-1' is not valid; it must be an integer ≥ 0"],
    [['--seed', '3'], 'Run with --help for all options.'],
    [['--bug', 'no such bug'], "--bug: 'no such bug' must be part of exactly one name of:"],
    [['17'], 'Run with --help for all options.'],
  ])('refuses %j and says what would be right', (args, text) => {
    expect(() => runOptionsOf(args)).toThrow(RunOptionError)
    expect(() => runOptionsOf(args)).toThrow(text)
  })
})
