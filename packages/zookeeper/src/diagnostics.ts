import {
  channel,
  type Channel,
  tracingChannel,
  type TracingChannel,
} from 'node:diagnostics_channel'
import { debuglog } from 'node:util'

/** The context of one request on the request channel. */
export interface RequestTrace {
  readonly operation: string
  readonly path: string | undefined
}

/** Traces every request, from call to answer: `tracing:elasticjob:zookeeper:request:*`. */
export const requestChannel: TracingChannel<string, RequestTrace> = tracingChannel<
  string,
  RequestTrace
>('elasticjob:zookeeper:request')

/** Publishes every session event of every client, as `{ event, payload }`. */
export const sessionChannel: Channel = channel('elasticjob:zookeeper:session')

/** Enabled by `NODE_DEBUG=elasticjob-zookeeper`. */
export const debug: (message: string, ...values: unknown[]) => void =
  debuglog('elasticjob-zookeeper')
