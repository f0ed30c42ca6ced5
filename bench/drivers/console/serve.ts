/**
 * `serve <connect string> <namespace> <password>`: a console on a free port, in memory, told where it is.
 * Every line that it is sent is answered with the longest time that nothing else could happen in it since
 * the line before, in milliseconds.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'

import { startConsole } from '@elasticjob/console'

import { say } from '../say.ts'

const [servers = '', namespace = '', password = ''] = process.argv.slice(2)
const delay = monitorEventLoopDelay({ resolution: 5 })
const running = await startConsole({
  port: 0,
  directory: false,
  passwords: { root: password, guest: password },
  registries: [{ name: 'measured', servers, namespace }],
  tell: () => undefined,
})
delay.enable()
say({ url: running.url })
for await (const _ of createInterface(process.stdin)) {
  say({ stoodStill: delay.max / 1e6 })
  delay.reset()
}
await running.stop()
process.exit()
