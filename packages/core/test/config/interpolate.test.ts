import { describe, expect, it } from 'vitest'

import { interpolate } from '../../src/config/interpolate.ts'

const environment = { HOST: 'zk1', PORT: '2181', EMPTY: '', DOLLAR: '$HOST ${PORT}' }

describe('interpolate', () => {
  it.each([
    ['no variables', 'no variables'],
    ['${HOST}:${PORT}', 'zk1:2181'],
    ['${MISSING:-there}', 'there'],
    ['${MISSING:-}', ''],
    ['${MISSING:-a:-b\nc}', 'a:-b\nc'],
    ['${EMPTY:-there}', 'there'],
    ['${EMPTY}', ''],
    ['${HOST:-other}', 'zk1'],
    ['$$ $${HOST} $$$${HOST}', '$ ${HOST} $${HOST}'],
    ['$$${HOST}', '$zk1'],
    ['$HOST costs 5$', '$HOST costs 5$'],
    ['${DOLLAR}', '$HOST ${PORT}'],
  ])('%j becomes %j', (text, result) => {
    expect(interpolate(text, environment)).toEqual({ text: result, problems: [] })
  })

  it('names every variable that is not set', () => {
    const { problems } = interpolate('${ONE}-${TWO}', environment)
    expect(problems).toEqual([
      'the environment variable ONE is not set; set it, or write ${ONE:-otherwise}',
      'the environment variable TWO is not set; set it, or write ${TWO:-otherwise}',
    ])
  })

  it.each(['${}', '${a b}', '${HOST', '${1A}', '${HOST-x}'])('does not take %s for one', (text) => {
    expect(interpolate(text, environment).problems).toEqual([
      expect.stringContaining('is not a variable; write ${NAME}'),
    ])
  })
})
