import { digestIdentity } from '../../src/acl/schemes.ts'
import { settings } from '../servers/steerable-server.ts'
import type { Dice } from './dice.ts'
import type { AclEntry } from './operation.ts'

/** The name of the nodes that define a quota. */
export const limitsName = 'zookeeper_limits'

// A small number of paths, so that requests affect each other's nodes.
const nodes = [
  '/',
  '/a',
  '/a',
  '/b',
  '/a/x',
  '/a/x',
  '/a/y',
  '/b/x',
  '/a/x/1',
  '/a/x/2',
  '/a/x/1/deep',
  '/ü',
] as const

/** Prefixes for sequential nodes, and the resulting names. */
const sequences = ['/s', '/a/s-', '/a/', '/b/x', '/a/x/n'] as const

const invalid = [
  '',
  'a',
  'a/x',
  '/a/',
  '//a',
  '/a//x',
  '/a/./x',
  '/a/..',
  '/.',
  '/a\0',
  '/a/\u0001',
  '/a/\u007f',
  '/a/\u009f',
  '/a/\ue000',
  '/\ufff0',
  '/none/a',
  '/none//a',
  ' ',
  '/a ',
] as const

const system = [
  '/zookeeper',
  '/zookeeper/',
  '/zookeeper/x',
  '/zookeeper/config',
  '/zookeeper/config/x',
  '/zookeeper/quota',
  '/zookeeper/quota/a',
  '/zookeeper/quota/a/x',
  '/zookeeper/quota/a/zookeeper_limits',
  '/zookeeper/quota/a/zookeeper_limits',
  '/zookeeper/quota/a/zookeeper_stats',
  '/zookeeper/quota/a/zookeeper_stats',
  '/zookeeper/quota/a/x/zookeeper_limits',
  '/zookeeper/quota/a/x/zookeeper_stats',
  '/zookeeper/quota/b',
  '/zookeeper/quota/b/zookeeper_limits',
  '/zookeeper/quota/b/zookeeper_stats',
] as const

export function anyPath(dice: Dice): string {
  return dice.weighted<() => string>([
    [82, () => dice.pick(nodes)],
    [6, () => `${dice.pick(sequences)}${String(dice.below(12)).padStart(10, '0')}`],
    [4, () => dice.pick(sequences)],
    [4, () => dice.pick(invalid)],
    [5, () => dice.pick(system)],
  ])()
}

export function sequencePath(dice: Dice): string {
  return dice.happens(0.9) ? dice.pick(sequences) : anyPath(dice)
}

export function anyData(dice: Dice, path: string): string | null {
  if (path.endsWith(limitsName)) return dice.pick(limits)
  if (path.endsWith('zookeeper_stats')) return dice.pick(usages)
  return dice.weighted<() => string | null>([
    [2, () => null],
    [2, () => ''],
    [10, () => 'x'.repeat(dice.below(20))],
    [1, () => 'long '.repeat(dice.below(500))],
  ])()
}

const limits = [
  'count=3,bytes=-1',
  'count=-1,bytes=20',
  'count=-1,bytes=-1=;byteHardLimit=25;countHardLimit=-1',
  'count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=3',
  'count=2,bytes=10=;byteHardLimit=40;countHardLimit=6',
] as const

const usages = ['count=0,bytes=0', 'count=1,bytes=2', ''] as const

/** Mostly valid ones, and some impossible ones. */
export function anyVersion(dice: Dice): number {
  return dice.pick([-1, -1, -1, -1, 0, 0, 0, 1, 1, 2, 3, -2, 2 ** 31 - 1, -(2 ** 31)])
}

const world: AclEntry = [31, 'world', 'anyone']
export const openAcl: readonly AclEntry[] = [world]
const alice = 'alice:wonder'
const aliceId = digestIdentity(alice)

const lists: readonly (readonly [weight: number, list: readonly AclEntry[]])[] = [
  [80, openAcl],
  [5, [[1, 'world', 'anyone']]],
  [4, [[30, 'world', 'anyone']]],
  [4, [[15, 'world', 'anyone']]],
  [2, [[0, 'world', 'anyone']]],
  [4, [[31, 'auth', '']]],
  [2, [[1, 'auth', 'whoever'], world]],
  [4, [[31, 'digest', aliceId]]],
  [
    2,
    [
      [31, 'digest', aliceId],
      [1, 'world', 'anyone'],
    ],
  ],
  [2, [[9, 'digest', 'alice:whatever']]],
  [2, [[31, 'ip', '127.0.0.1']]],
  [1, [[31, 'ip', '127.0.0.0/8']]],
  [1, [[31, 'ip', '10.0.0.0/8']]],
  [1, [[31, 'ip', '127.0.0.1/33']]],
  [1, [[31, 'ip', '::1']]],
  [1, [[31, 'ip', 'nowhere']]],
  [4, [world, world]],
  [
    1,
    [
      [1, 'world', 'anyone'],
      [2, 'world', 'anyone'],
    ],
  ],
  [1, []],
  [1, [[31, 'world', 'nobody']]],
  [1, [[31, 'digest', 'alice']]],
  [1, [[31, 'digest', 'a:b:c']]],
  [1, [[31, 'digest', ':']]],
  [1, [[31, 'super', 'x']]],
  [1, [[31, 'sasl', 'alice']]],
  [1, [[31, 'x509', 'CN=alice']]],
  [1, [[31, 'nothing', 'x']]],
  [1, [[31, '', '']]],
  [1, [[64, 'world', 'anyone']]],
  [1, [[-1, 'world', 'anyone']]],
]

export function anyAcl(dice: Dice): readonly AclEntry[] {
  return dice.weighted(lists)
}

/** [scheme, credentials] */
export function anyProof(dice: Dice): readonly [string, string] {
  return dice.weighted<readonly [string, string]>([
    [10, ['digest', alice]],
    [5, ['digest', 'bob:builder']],
    [1, ['digest', settings.superUser]],
    [1, ['digest', 'super:wrong']],
    [2, ['digest', 'nobody']],
    [1, ['digest', '']],
    [1, ['digest', ':']],
    [1, ['digest', 'a:b:c']],
    [1, ['ip', '']],
    [1, ['ip', '10.0.0.1']],
    [1, ['world', 'anyone']],
    [1, ['auth', '']],
    [1, ['nothing', 'x']],
  ])
}
