import type { MultiPart, MultiResult } from '../jute/multi.ts'
import type { Created } from '../jute/node-operations.ts'
import { createFlag, opCode } from '../jute/op-codes.ts'
import { type EphemeralBudget, ephemeralCost } from './ephemeral-budget.ts'
import type { CallHooks } from './pending-call.ts'

/** Synchronous while there is room: a later request must not overtake this one. */
export type Accounted<Reply> = CallHooks<Reply> | Promise<CallHooks<Reply>>

/** Keeps the budget of ephemeral paths consistent with requests and answers. */
export class EphemeralAccounting {
  readonly #budget: EphemeralBudget
  readonly #askServer: (hooks: CallHooks<string[]>) => Promise<unknown>
  readonly #toClient: (path: string) => string

  /** `askServer` requests the session's ephemeral paths; `toClient` converts a path for error messages. */
  constructor(
    budget: EphemeralBudget,
    askServer: (hooks: CallHooks<string[]>) => Promise<unknown>,
    toClient: (path: string) => string,
  ) {
    this.#budget = budget
    this.#askServer = askServer
    this.#toClient = toClient
  }

  /** The hooks of a create of an ephemeral node; rejects if the budget is exhausted. */
  ofCreate(path: string, sequential: boolean): Accounted<Created> {
    const cost = ephemeralCost(path, sequential)
    return this.#withRoom(cost, path, (reply) => [reply.path])
  }

  /** The hooks of a transaction that creates ephemeral nodes or deletes nodes that may be ephemeral. */
  ofTransaction(parts: readonly MultiPart[]): Accounted<MultiResult[]> {
    const creates = parts.filter(createsEphemeral)
    const cost = creates.reduce((sum, one) => sum + costOf(one), 0)
    return this.#withRoom(cost, creates[0]?.path ?? '', (results) => {
      if (results.some(({ type }) => type === opCode.error)) return []
      for (const one of parts) if (one.type === opCode.delete) this.#budget.release(one.path)
      const made: string[] = []
      for (const [index, result] of results.entries()) {
        const asked = parts[index]
        if (asked !== undefined && createsEphemeral(asked) && 'path' in result) {
          made.push(result.path)
        }
      }
      return made
    })
  }

  #withRoom<Reply>(
    cost: number,
    path: string,
    made: (reply: Reply) => readonly string[],
  ): Accounted<Reply> {
    if (!this.#budget.fits(cost)) return this.#makeRoom(cost, path, made)
    this.#budget.ask(cost)
    return this.#settling(cost, made)
  }

  async #makeRoom<Reply>(
    cost: number,
    path: string,
    made: (reply: Reply) => readonly string[],
  ): Promise<CallHooks<Reply>> {
    // Other clients may have deleted nodes of this session, and some creates may have failed: ask the server
    // before refusing. Recounts when the answer arrives: a create that is answered later is not included in
    // it.
    await this.#askServer({ onReply: (paths) => this.#budget.recount(paths) })
    if (!this.#budget.fits(cost)) throw this.#budget.refusal(this.#toClient(path))
    this.#budget.ask(cost)
    return this.#settling(cost, made)
  }

  #settling<Reply>(cost: number, made: (reply: Reply) => readonly string[]): CallHooks<Reply> {
    return {
      onReply: (reply) => this.#budget.answer(cost, made(reply)),
      onRefusal: () => {
        this.#budget.answer(cost, [])
        return undefined
      },
      onLoss: (outcomeUnknown) => {
        if (outcomeUnknown) this.#budget.doubt(cost)
        else this.#budget.answer(cost, [])
      },
    }
  }
}

/** Whether a transaction can change the set of ephemeral nodes. */
export function touchesEphemerals(parts: readonly MultiPart[]): boolean {
  return parts.some((one) => one.type === opCode.delete || createsEphemeral(one))
}

function createsEphemeral(one: MultiPart): boolean {
  return 'flags' in one && (one.flags === createFlag.ephemeral || isSequentialEphemeral(one.flags))
}

function isSequentialEphemeral(flags: number): boolean {
  return flags === createFlag.ephemeralSequential
}

function costOf(one: MultiPart): number {
  return ephemeralCost(one.path, 'flags' in one && isSequentialEphemeral(one.flags))
}
