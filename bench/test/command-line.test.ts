import { expect, test } from 'vitest'

import { helpText, parseCommandLine } from '../command-line.ts'

test('a name and its options are told apart', () => {
  const line = parseCommandLine(['zookeeper', '--quick', '--json', 'out.json', '--only', 'multi'])
  expect(line).toMatchObject({
    names: ['zookeeper'],
    json: 'out.json',
    help: false,
    options: { quick: true, only: ['multi'] },
  })
})

test('without options everything is measured in full', () => {
  expect(parseCommandLine(['server'])).toMatchObject({
    json: undefined,
    options: { quick: false, only: [] },
  })
})

test('a picture has a file of its own', () => {
  expect(parseCommandLine(['peers', '--picture', 'out.svg']).picture).toBe('out.svg')
})

test('cores can be left to the scheduler', () => {
  expect(parseCommandLine(['server', '--unpinned']).options.pinned).toBe(false)
})

test('an unknown option is refused', () => {
  expect(() => parseCommandLine(['server', '--fast'])).toThrow('--fast')
})

test('the help names every benchmark', () => {
  expect(helpText({ server: 'the server' })).toMatch(/^ {2}server +the server$/m)
})
