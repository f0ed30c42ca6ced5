import type { Heard } from '../operations/decode.ts'
import type { FuzzOperation } from '../operations/operation.ts'

/** A difference between the answers of the two servers. */
export interface Difference {
  /** The index of the operation at which it was found, and that operation. */
  readonly index: number
  readonly operation: FuzzOperation
  /** The slot of the connection. */
  readonly slot: number
  /** The frames received there, from the first difference on. */
  readonly real: readonly Heard[]
  readonly embedded: readonly Heard[]
}

/** Both lists from their first difference on; undefined if they are equal. */
export function differenceOf(
  real: readonly Heard[],
  embedded: readonly Heard[],
): Pick<Difference, 'real' | 'embedded'> | undefined {
  const length = Math.max(real.length, embedded.length)
  for (let i = 0; i < length; i++) {
    if (JSON.stringify(real[i]) === JSON.stringify(embedded[i])) continue
    return { real: real.slice(i, i + 3), embedded: embedded.slice(i, i + 3) }
  }
  return undefined
}

/** The kind of a difference, so that shrinking one difference does not end with another. */
export function kindOf({ real, embedded }: Difference): string {
  return `${kindOfHeard(real[0])} / ${kindOfHeard(embedded[0])}`
}

function kindOfHeard(heard: Heard | undefined): string {
  if (heard === undefined) return 'nothing'
  return `${Object.keys(heard)[0]} ${JSON.stringify(heard['answer'] ?? heard['event'])}`
}

export function describeDifference({ index, operation, slot, real, embedded }: Difference): string {
  return [
    `operation ${index}: ${JSON.stringify(operation)}`,
    `received on slot ${slot}:`,
    ...describeHeard('real', real),
    ...describeHeard('embedded', embedded),
  ].join('\n')
}

function describeHeard(name: string, heard: readonly Heard[]): string[] {
  const lines = heard.length === 0 ? ['nothing'] : heard.map((each) => JSON.stringify(each))
  return lines.map((line) => `  ${name.padEnd(8)} ${line}`)
}
