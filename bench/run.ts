/** `npm run bench`: measures what we have beside what others have, on this machine. */
import { readFile, writeFile } from 'node:fs/promises'
import { benchClients } from './clients/bench.ts'
import { type BenchOptions, type CommandLine, helpText, parseCommandLine } from './command-line.ts'
import { benchConsole } from './console/bench.ts'
import { benchCron } from './cron/bench.ts'
import { benchFailover } from './failover/bench.ts'
import { benchFire } from './fire/bench.ts'
import { benchHistory } from './history/bench.ts'
import { describeMachine, load } from './measure/machine.ts'
import { toMarkdown } from './report/markdown.ts'
import { mergeReports } from './report/merge.ts'
import { toPicture } from './report/picture.ts'
import type { Findings, Report } from './report/report.ts'
import { benchPeers } from './schedulers/bench.ts'
import { benchServers } from './server/bench.ts'
import { benchTracing } from './tracing/bench.ts'

interface Bench {
  readonly what: string
  readonly run: (options: BenchOptions) => Promise<Findings>
}

const benches = new Map<string, Bench>([
  ['zookeeper', { what: 'our ZooKeeper client beside other clients', run: benchClients }],
  ['server', { what: 'the embedded server beside a real ZooKeeper', run: benchServers }],
  ['cron', { what: 'fire times of cron expressions', run: benchCron }],
  ['fire', { what: 'the scheduler: a fire, many jobs, many instances', run: benchFire }],
  ['history', { what: 'fires while the database of the history is in trouble', run: benchHistory }],
  ['tracing', { what: 'a history: what writing it costs, how soon it answers', run: benchTracing }],
  ['failover', { what: 'the scheduler: an instance crashes, or drains', run: benchFailover }],
  ['console', { what: 'the console: many jobs, dead servers, pages', run: benchConsole }],
  ['peers', { what: 'the scheduler beside Java ElasticJob and others', run: benchPeers }],
])

const help = helpText(Object.fromEntries([...benches].map(([name, { what }]) => [name, what])))

const commandLine = read(process.argv.slice(2))
if (commandLine.help) process.stdout.write(help)
else await run(commandLine)

function read(args: readonly string[]): CommandLine {
  try {
    return parseCommandLine(args)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

async function run(line: CommandLine): Promise<void> {
  const { names, options } = line
  const [name, ...more] = names
  if (name === undefined) return refuse('Which benchmark?')
  if (name === 'merge') return show(line, await merged(more))
  if (more.length > 0) return refuse(`One benchmark at a time, not ${names.join(' and ')}.`)
  const bench = benches.get(name)
  if (bench === undefined) return refuse(`There is no benchmark "${name}".`)
  const before = load()
  const findings = await bench.run(options)
  if (findings.sections.length === 0)
    return refuse(`Nothing of ${name} is called "${options.only.join('" or "')}".`)
  await show(line, {
    bench: name,
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(),
    load: { before, after: load() },
    ...findings,
  })
}

async function merged(files: readonly string[]): Promise<Report> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return mergeReports(texts.map((text) => JSON.parse(text) as Report))
}

async function show({ json, picture }: CommandLine, report: Report): Promise<void> {
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
  if (picture !== undefined) await writeFile(picture, toPicture(report))
  process.stdout.write(toMarkdown(report))
}

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n\n${help}`)
  process.exit(2)
}
