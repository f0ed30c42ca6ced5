/** Records runs until it is killed, and says which of them are known to be written. */
import { openHistory, Tracing } from '@elasticjob/tracing'

import { Fires } from './support/fires.ts'

const fires = new Fires()
const tracing = new Tracing(
  fires.jobs,
  { url: process.argv[2] ?? '', flushInterval: 1, batchEntries: 200, retention: false },
  async (options) => {
    const history = await openHistory(options)
    const write = history.writeBatch.bind(history)
    history.writeBatch = async (batch) => {
      const result = await write(batch)
      const ids = batch.executions.map(({ id }) => id)
      process.stdout.write(`${JSON.stringify(ids)}\n`)
      return result
    }
    return history
  },
)
tracing.on('history:failed', ({ error }) => {
  throw error
})
for (;;) {
  await fires.run(200)
  await tracing.flush()
}
