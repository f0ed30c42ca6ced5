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

test('the console is measured in another size if one is said', () => {
  const sizesOf = (...states: string[]): unknown =>
    parseCommandLine(['console', ...states]).options.sizes
  expect(sizesOf()).toEqual({})
  expect(sizesOf('--jobs', '500', '--dead-servers', '0', '--pages', '10')).toEqual({
    jobs: 500,
    deadServers: 0,
    pages: 10,
  })
  expect(() => sizesOf('--jobs', '0')).toThrow('"0" is no number of jobs')
  expect(() => sizesOf('--dead-servers', 'many')).toThrow('dead servers')
})

test('an unknown option is refused', () => {
  expect(() => parseCommandLine(['server', '--fast'])).toThrow('--fast')
})

test('the help names every benchmark', () => {
  expect(helpText({ server: 'the server' })).toMatch(/^ {2}server +the server$/m)
})
