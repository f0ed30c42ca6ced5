/** A once-per-run listener that writes down its calls, and what must hold of them. */
import type { JobListener, MultiShardingContext } from '@elasticjob/core'

import { instanceOf } from './body.ts'
import type { History, ListenerCall, Violation } from './history.ts'
import type { Process } from './process.ts'
import type { World } from './world.ts'

export const listenerType = 'ONCE'

export function onceListener(world: World, process: Process): JobListener {
  const call =
    (method: ListenerCall['method']) =>
    ({ jobName, fireTime, taskId }: MultiShardingContext): void => {
      world.listenerCalls.push({
        at: world.now,
        process: process.name,
        instance: instanceOf(taskId),
        jobName,
        method,
        fireTime: fireTime.getTime(),
      })
    }
  return {
    type: listenerType,
    beforeLastStarted: call('beforeLastStarted'),
    afterLastCompleted: call('afterLastCompleted'),
  }
}

/** 12: one call of each method for a fire time: never two of living instances, and exactly one when all is calm. */
export function listenerViolations(history: History): Violation[] {
  const calls = new Map<string, ListenerCall[]>()
  const keyOf = ({
    jobName,
    method,
    fireTime,
  }: Pick<ListenerCall, 'jobName' | 'method' | 'fireTime'>) =>
    `${method} of ${jobName} at ${fireTime - history.assignment}`
  const found: Violation[] = []
  for (const call of history.listenerCalls) {
    const key = keyOf(call)
    const before = calls.get(key) ?? []
    calls.set(key, [...before, call])
    const other = before.find(({ instance }) => !isGoneAt(history, instance, call.at))
    // What a registry has lost may be that it was called.
    const isLost = history.losses.some(({ at }) => (other?.at ?? 0) <= at && at <= call.at)
    if (other === undefined || isLost) continue
    const text = `${key} is called on ${call.process}, and was called on ${other.process} at ${other.at}`
    found.push({ rule: '12', at: call.at, text, jobName: call.jobName })
  }
  for (const { jobName, hasListener, fires } of history.expected) {
    // Of the last one the end may be still to come.
    for (const fireTime of hasListener === true ? fires.slice(0, -1) : []) {
      for (const method of ['beforeLastStarted', 'afterLastCompleted'] as const) {
        const key = keyOf({ jobName, method, fireTime })
        if (calls.has(key)) continue
        found.push({
          rule: '12',
          at: fireTime - history.assignment,
          text: `${key} is never called`,
          jobName,
        })
      }
    }
  }
  return found
}

/** Whether the session of an instance had ended by then. */
function isGoneAt({ sessionOf, closed }: History, instance: string, time: number): boolean {
  const session = sessionOf.get(instance)
  return session === undefined || closed.get(session)?.some(({ at }) => at <= time) === true
}
