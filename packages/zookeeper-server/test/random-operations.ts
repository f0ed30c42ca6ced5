import fc from 'fast-check'
import { type MultiPart, opCode, operations } from '@elasticjob/zookeeper/protocol'
import { openAcl, readOnlyAcl } from '../src/acl/acl-table.ts'
import type { CoreClient, CoreHarness } from './core-client.ts'

/** A step of one of several clients, or of time. */
export type Step =
  | { readonly kind: 'create'; readonly path: string; readonly flags: number }
  | { readonly kind: 'createTtl'; readonly path: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'set'; readonly path: string; readonly data: string }
  | { readonly kind: 'setAcl'; readonly path: string; readonly isOpen: boolean }
  | { readonly kind: 'multi'; readonly parts: readonly MultiPart[] }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'pass'; readonly milliseconds: number }

const name = fc.constantFrom('a', 'b', 'c')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const flags = fc.constantFrom(0, 0, 0, 1, 2, 3)
const data = fc.constantFrom('', 'x', 'longer data')

const part: fc.Arbitrary<MultiPart> = fc.oneof(
  fc
    .record({ type: fc.constant(opCode.create), path, flags })
    .map((fields) => ({ ...fields, data: null, acl: openAcl })),
  fc.record({ type: fc.constant(opCode.delete), path, version: fc.constant(-1) }),
  fc.record({
    type: fc.constant(opCode.setData),
    path,
    data: data.map((text) => Buffer.from(text)),
    version: fc.constant(-1),
  }),
)

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create'), path, flags }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('createTtl'), path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete'), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set'), path, data }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setAcl'), path, isOpen: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('multi'), parts: fc.array(part, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      milliseconds: fc.constantFrom(100, 3_000, 30_000),
    }),
  },
)

/** Two clients that alternate, each with a new session after it has lost the old one. */
export class RandomClients {
  readonly #harness: CoreHarness
  readonly #clients: CoreClient[]
  #turn = 0

  constructor(harness: CoreHarness) {
    this.#harness = harness
    this.#clients = [harness.connected(), harness.connected()]
  }

  do(action: Step): void {
    const index = this.#turn++ % this.#clients.length
    let client = this.#clients[index] as CoreClient
    if (client.isClosed || client.peer.isClosed) {
      client = this.#harness.connected()
      this.#clients[index] = client
    }
    switch (action.kind) {
      case 'create':
        return void client.create(action.path, { flags: action.flags })
      case 'createTtl': {
        const request = { path: action.path, data: null, acl: openAcl, flags: 5, ttl: 50n }
        return void client.call(operations.createTtl, request)
      }
      case 'delete':
        return void client.remove(action.path)
      case 'set':
        return void client.set(action.path, action.data)
      case 'setAcl': {
        const acl = action.isOpen ? openAcl : readOnlyAcl
        return void client.call(operations.setAcl, { path: action.path, acl, version: -1 })
      }
      case 'multi':
        return void client.call(operations.multi, action.parts)
      case 'reopen':
        return void client.closeSession()
      case 'pass':
        return this.#harness.pass(action.milliseconds)
    }
  }
}
