/** The current names of options of Elastic-Job 1.x, 2.x and early 3.x. */
import { message, type Message } from '../message.ts'

const formerNames: Readonly<Record<string, string>> = {
  jobExecutorServiceHandlerType: 'jobExecutorThreadPoolSizeProviderType',
  executorServiceHandler: 'jobExecutorThreadPoolSizeProviderType',
  jobExceptionHandler: 'jobErrorHandlerType',
  jobShardingStrategyClass: 'jobShardingStrategyType',
  listeners: 'jobListenerTypes',
  elasticJobListeners: 'jobListenerTypes',
  monitorPort: 'props["monitor.port"]',
  streamingProcess: 'props["streaming.process"]',
  fetchDataCount: 'props["fetch.data.count"]',
  concurrentDataProcessThreadCount: 'props["concurrent.data.process.thread.count"]',
  processCountIntervalSeconds: 'props["process.count.interval.seconds"]',
  scriptCommandLine: 'props["script.command.line"]',
}

/** Undefined for a name that no version has used. */
export function presentNameOf(option: string): Message | undefined {
  if (option === 'jobType') return message('option-in-body')
  const name = Object.hasOwn(formerNames, option) ? formerNames[option] : undefined
  return name === undefined ? undefined : message('option-renamed', { name })
}
