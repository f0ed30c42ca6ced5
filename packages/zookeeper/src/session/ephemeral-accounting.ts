import type { MultiPart, MultiResult } from '../jute/multi.ts'
import type { Created } from '../jute/node-operations.ts'
import { createFlag, opCode } from '../jute/op-codes.ts'
import { type EphemeralBudget, ephemeralCost } from './ephemeral-budget.ts'
import type { CallHooks } from './pending-call.ts'

/** Keeps the budget of ephemeral paths true to what is asked for and answered. */
export class EphemeralAccounting {
  readonly #budget: EphemeralBudget
  readonly #heldAtServer: () => Promise<readonly string[]>

  constructor(budget: EphemeralBudget, heldAtServer: () => Promise<readonly string[]>) {
    this.#budget = budget
    this.#heldAtServer = heldAtServer
  }

  /** The hooks of the creation of an ephemeral node; throws if there is no room for it. */
  async ofCreate(path: string, sequential: boolean): Promise<CallHooks<Created>> {
    const cost = ephemeralCost(path, sequential)
    await this.#makeRoom(cost, path)
    return this.#settling(cost, (reply) => [reply.path])
  }

  /** The hooks of a transaction that creates ephemeral nodes, or deletes nodes that may be such. */
  async ofTransaction(parts: readonly MultiPart[]): Promise<CallHooks<MultiResult[]>> {
    const creates = parts.filter(createsEphemeral)
    const cost = creates.reduce((sum, one) => sum + costOf(one), 0)
    await this.#makeRoom(cost, creates[0]?.path ?? '')
    return this.#settling(cost, (results) => {
      if (results.some(({ type }) => type === opCode.error)) return []
      for (const one of parts) if (one.type === opCode.delete) this.#budget.release(one.path)
      return results.flatMap((result, index) => {
        const asked = parts[index]
        const made = asked !== undefined && createsEphemeral(asked) && 'path' in result
        return made ? [result.path] : []
      })
    })
  }

  async #makeRoom(cost: number, path: string): Promise<void> {
    if (!this.#budget.fits(cost)) {
      // Others may have deleted nodes of ours, and some may never have come to be: ask before refusing.
      this.#budget.recount(await this.#heldAtServer())
      if (!this.#budget.fits(cost)) throw this.#budget.refusal(path)
    }
    this.#budget.ask(cost)
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

/** Whether a transaction can change what ephemeral nodes there are. */
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
