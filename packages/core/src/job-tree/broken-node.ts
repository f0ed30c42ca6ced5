/** A node of a job that cannot be read, for observers and for the repair. */
import { type DecodeProblem, reasonOf } from '../decode/problem.ts'
import type { Message } from '../message.ts'

export interface BrokenNode {
  readonly kind: 'job-state' | 'assignment' | 'shard-state' | 'listener-calls'
  /** The shard whose state it is. */
  readonly shard?: number
  readonly problem: DecodeProblem
  readonly version: number
}

/** Whether the whole job stands still while the node cannot be read. */
export function stopsJob({ kind }: BrokenNode): boolean {
  return kind === 'job-state' || kind === 'assignment'
}

export function whyBroken({ problem }: BrokenNode): Message {
  return reasonOf(problem)
}
