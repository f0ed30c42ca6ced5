/** Random and hostile bytes into every decoder: a value or a typed problem, and never more work than the budget. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readElasticJobFile } from '../../src/config/elasticjob-file.ts'
import { readInstance } from '../../src/config/instance-yaml.ts'
import { readLegacyFields } from '../../src/config/legacy-fields.ts'
import { readJob } from '../../src/config/read-job.ts'
import { updateYaml } from '../../src/config/update-job.ts'
import { Budget, BudgetExceeded, storedLimits } from '../../src/decode/budget.ts'
import { parseJson } from '../../src/decode/json.ts'
import type { Decoded } from '../../src/decode/problem.ts'
import { ElasticJobError } from '../../src/errors.ts'
import { decodeBarrierState } from '../../src/barrier/barrier-state.ts'
import { decodeAssignment } from '../../src/job-tree/stored-assignment.ts'
import { decodeShardState } from '../../src/job-tree/shard-state.ts'
import { decodeJobState } from '../../src/job-tree/job-state.ts'
import { decodeCounts } from '../../src/legacy/statistics/counts.ts'
import { measure } from '../../src/config/snake-yaml/measure.ts'
import { parseWithin } from '../../src/config/snake-yaml/parse-within.ts'

const decoders: Readonly<Record<string, (text: string, path: string) => Decoded<unknown>>> = {
  'job state': decodeJobState,
  'shard state': decodeShardState,
  assignment: decodeAssignment,
  'listener calls': decodeBarrierState,
  statistics: decodeCounts,
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  configuration: (text) => readJob(text, '/n'),
  'changed configuration': (text) => updateYaml(text, { shardingTotalCount: 2 }, '/n'),
  'configuration of 1.x': (text) => readLegacyFields('j', { shardingTotalCount: text }, '/n'),
  instance: readInstance,
  'elasticjob.yaml': (text) => readElasticJobFile(text, { environment: {}, source: 'f' }),
}

const keys = [
  'state',
  'fireTime',
  'round',
  'lastRound',
  'running',
  'items',
  'runs',
  'instances',
  'rounds',
  'digest',
  'moving',
  'schedule',
  'since',
  'id',
  'time',
  'started',
  '__proto__',
  'constructor',
  'total',
  'interval',
  'jobName',
  'shardingTotalCount',
  'props',
]

/** JSON that is nearly right. */
const nearly = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        1,
        0.5,
        2 ** 31,
        4e9,
        1e300,
        '',
        'idle',
        'x',
        '4000000000',
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys, '0', '-1', '4000000000'), tie('value'), {
        maxKeys: 6,
      }),
    ),
  }))
  .value.map((value) => JSON.stringify(value))

const yamlish = fc
  .array(
    fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      ' ',
      '  ',
      '&a ',
      '*a',
      '<<: ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '#',
      '!',
      '!!binary ',
      '%',
      '---\n',
      '? ',
      '0x',
      '1:59',
      'jobName: j\n',
      'shardingTotalCount: 3\n',
      'props:\n',
      '\u0085',
      '\u2028',
      '\uFEFF',
      '\0',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString()),
  nearly,
  yamlish,
)

describe.each(Object.entries(decoders))('the decoder of the %s', (_, decode) => {
  it('gives a value or a problem for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { value, problem } = decode(text, '/node')
        expect(problem === undefined ? value : problem.what.text).toBeDefined()
        expect(problem?.path ?? '/node').toBe('/node')
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['nesting', '['.repeat(100_000)],
    ['nesting in a key', `{"running":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`],
    ['length', JSON.stringify({ error: 'x'.repeat(2_000_000) })],
    ['a million entries', `[${'0,'.repeat(400_000)}0]`],
  ])('refuses %s', (_name, text) => {
    expect(decode(text, '/node').problem).toBeDefined()
  })
})

describe.each(Object.entries(readers))('the reader of the %s', (_, read) => {
  it('throws nothing but a typed error for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(untyped(() => read(text))).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it.each(Object.entries(bombs()))('takes %s for what it is', (_name, text) => {
    expect(untyped(() => read(text))).toBeUndefined()
  })
})

/** What was thrown that is not a typed error. */
function untyped(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof ElasticJobError ? undefined : error
  }
}

function bombs(): Record<string, string> {
  const levels = Array.from({ length: 24 }, (_, level) =>
    level === 0 ? 'l0: &l0 [x, x]' : `l${level}: &l${level} [*l${level - 1}, *l${level - 1}]`,
  )
  const merges = Array.from({ length: 24 }, (_, level) =>
    level === 0
      ? 'm0: &m0 {a: b}'
      : `m${level}: &m${level} {<<: [*m${level - 1}, *m${level - 1}], k${level}: v}`,
  )
  const head = 'jobName: j\nshardingTotalCount: 1\n'
  return {
    'nested aliases': `${head}${levels.join('\n')}\nprops: {x: *l23}\n`,
    'nested merges': `${head}${merges.join('\n')}\nprops: {<<: *m23}\n`,
    'an alias inside of what it names': `${head}props: &p {x: *p, y: [*p]}\n`,
    'a merge of itself': `${head}props: &p {<<: *p}\n`,
    'a sexagesimal number': `jobName: j\nshardingTotalCount: 1${':59'.repeat(300_000)}\n`,
    'a long number': `jobName: j\nshardingTotalCount: ${'9'.repeat(900_000)}\n`,
    'deep lists': `${head}props: {x: ${'['.repeat(100_000)}}\n`,
    'deep mappings': `${head}props:\n${Array.from({ length: 300 }, (_, level) => `${' '.repeat(level + 1)}a:`).join('\n')}\n`,
    'deep sequences': `${head}props:\n  x:\n    ${'- '.repeat(50_000)}x\n`,
    'many keys': `${head}${Array.from({ length: 10_000 }, (_, key) => `k${key}: v`).join('\n')}\n`,
    'many documents': '---\n'.repeat(200_000),
    'many shards': 'jobName: j\nshardingTotalCount: 2000000000\n',
  }
}

describe('the work of reading YAML', () => {
  const spent = (text: string): Budget => {
    const budget = new Budget()
    try {
      const { document } = parseWithin(text, budget)
      if (document.errors.length === 0) measure(document.contents ?? undefined, budget)
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error
    }
    return budget
  }

  /** One step beyond a limit is the one that was refused; an alias is refused with all that it expands to. */
  const isBounded = ({ spent: steps }: Budget): boolean =>
    steps.tokens <= storedLimits.tokens + 1 &&
    steps.aliases <= storedLimits.aliases + 1 &&
    steps.expansion <= 2 * storedLimits.expansion

  it.each(Object.entries(bombs()))('is bounded for %s', (_, text) => {
    expect(isBounded(spent(text))).toBe(true)
  })

  it('is bounded for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(isBounded(spent(text))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is refused before it is done', () => {
    const { nested } = { nested: bombs()['nested aliases'] ?? '' }
    expect(() => readJob(nested, '/n')).toThrow('its aliases expand to more than 20000 values')
    expect(() => readJob(`a: ${'['.repeat(99)}`, '/n')).toThrow('nested more than 50 levels deep')
    expect(() => readJob('x'.repeat(1_048_577), '/n')).toThrow('longer than 1048576 characters')
  })

  it('of JSON is counted, too', () => {
    expect(() => parseJson('['.repeat(51), new Budget())).toThrow(BudgetExceeded)
    expect(parseJson('"[[[["', new Budget({ ...storedLimits, depth: 0 }))).toBe('[[[[')
  })
})

describe('what is legal stays legal', () => {
  it('aliases and merges within the limits', () => {
    const text =
      'base: &b {a: "1", b: "2"}\njobName: j\nshardingTotalCount: 1\nprops: {<<: *b, b: "3"}\n'
    expect(readJob(text, '/n').configuration.props).toEqual({ a: '1', b: '3' })
  })

  it('an assignment of ten thousand shards, and none of one more', () => {
    const of = (length: number): string =>
      JSON.stringify({ digest: 'd', instances: ['a'], runs: [[0, length]] })
    expect(decodeAssignment(of(10_000), '/n').value?.owners).toHaveLength(10_000)
    for (const length of [10_001, 4_000_000_000, -1, 0, 0.5]) {
      expect(decodeAssignment(of(length), '/n').problem?.what.text).toBe(`runs[0][1] is ${length}`)
    }
  })

  it('a file of ten thousand jobs', () => {
    const jobs = Array.from(
      { length: 10_000 },
      (_, index) => `  j${index}: { cron: "0 * * * * ?", shardingTotalCount: 1, jobType: SCRIPT }`,
    )
    const file = readElasticJobFile(`jobs:\n${jobs.join('\n')}\n`, { environment: {}, source: 'f' })
    expect(file.jobs).toHaveLength(10_000)
  })
})
