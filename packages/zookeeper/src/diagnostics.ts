import {
  channel,
  type Channel,
  tracingChannel,
  type TracingChannel,
} from 'node:diagnostics_channel'
import { debuglog } from 'node:util'

/** What a subscriber of the request channel learns of one request. */
export interface RequestTrace {
  readonly operation: string
  readonly path: string | undefined
}

/** Every request, from its call to its answer: `tracing:elasticjob:zookeeper:request:*`. */
export const requestChannel: TracingChannel<string, RequestTrace> = tracingChannel<
  string,
  RequestTrace
>('elasticjob:zookeeper:request')

/** Every event of every client's session, as `{ event, payload }`. */
export const sessionChannel: Channel = channel('elasticjob:zookeeper:session')

/** Switched on by `NODE_DEBUG=elasticjob-zookeeper`. */
export const debug: (message: string, ...values: unknown[]) => void =
  debuglog('elasticjob-zookeeper')
