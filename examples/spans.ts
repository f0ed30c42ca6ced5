/**
 * A span for each run, active inside the job's code.
 *
 * The application brings the OpenTelemetry SDK: this one prints the spans that it receives.
 *
 *   npm run example -- spans
 */
import { ElasticJob } from '@elasticjob/core'
import { RunSpans } from '@elasticjob/metrics'
import { startServer } from '@elasticjob/zookeeper-server'
import { trace } from '@opentelemetry/api'
import {
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'

import { runs } from './support/happening.ts'

const printing = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    for (const { name, attributes, parentSpanContext: parent } of spans) {
      const shards = String(attributes['elasticjob.run.shards'] ?? '')
      console.log(parent === undefined ? `${name}, shard ${shards}` : `  child: ${name}`)
    }
    done({ code: 0 })
  },
  shutdown: () => Promise.resolve(),
}
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(printing)] })
provider.register()

const server = await startServer({ port: 0 })
const spans = await RunSpans.create()
const jobs = await ElasticJob.connect({
  servers: server.connectString,
  namespace: 'examples',
  logger: false,
  interceptors: [spans.interceptor],
})
spans.follow(jobs)

await jobs.schedule(
  { jobName: 'sync-orders', cron: '* * * * * ?', shardingTotalCount: 2 },
  async ({ shardingItem }) => {
    const query = trace.getTracer('shop').startSpan(`read orders of ${shardingItem}`)
    await Promise.resolve()
    query.end()
  },
)
await runs(jobs, 4)

await jobs.stop()
await provider.shutdown()
await server.stop()
