import { describe, expect, it } from 'vitest'

import { englishOf, messageFactory } from '../src/message.ts'

const message = messageFactory({
  'shard-waits': 'shard {shard} of job {jobName} waits, {jobName}',
  'some-shards': 'shards {shards}',
  'shards-free': 'nobody owns {shards}',
  'object-wanted': 'take an object such as { a: 1 }',
} as const)

describe('message', () => {
  it('has the code, the parameters and the English text', () => {
    expect(message('shard-waits', { shard: 3, jobName: 'a{shard}$&' })).toEqual({
      code: 'shard-waits',
      parameters: { shard: 3, jobName: 'a{shard}$&' },
      text: 'shard 3 of job a{shard}$& waits, a{shard}$&',
    })
  })

  it('keeps a message that is a parameter of another', () => {
    const shards = message('some-shards', { shards: '0, 1' })
    expect(message('shards-free', { shards })).toEqual({
      code: 'shards-free',
      parameters: { shards },
      text: 'nobody owns shards 0, 1',
    })
  })

  it('can have no parameters, and braces around an example', () => {
    expect(message('object-wanted')).toEqual({
      code: 'object-wanted',
      parameters: {},
      text: 'take an object such as { a: 1 }',
    })
  })

  it('compiles only with a known code and exactly its parameters', () => {
    const refused = [
      // @ts-expect-error -- an unknown code
      () => message('constructor'),
      // @ts-expect-error -- no parameters
      () => message('some-shards'),
      // @ts-expect-error -- a missing parameter
      () => message('shard-waits', { shard: 3 }),
      // @ts-expect-error -- an unknown parameter
      () => message('some-shards', { shards: '0', jobName: 'a' }),
      // @ts-expect-error -- a value that is not text
      () => message('some-shards', { shards: [0] }),
      // @ts-expect-error -- a parameter of a message that has none
      () => message('object-wanted', { a: 1 }),
    ]
    expect(refused).toHaveLength(6)
  })
})

it('englishOf is the text of a message, and of a value', () => {
  const values = [message('some-shards', { shards: 2 }), 'two', 3]
  expect(values.map(englishOf)).toEqual(['shards 2', 'two', '3'])
})
