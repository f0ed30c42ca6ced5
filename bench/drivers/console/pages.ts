/**
 * `pages <url> <password> <count>`: so many pages that show the list of jobs, as far as a console sees them:
 * streams of changes, and requests. Says when each had its first jobs, and when all. Then it does as it is
 * told, line by line:
 * - `{"expect": "..."}`: says at once that it has heard, then when each page has been told of that text;
 * - `{"list": "?limit=100", "times": 300, "together": 10}`: asks for a list, and says how long that took.
 */
import { Agent, get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'

import { pipeline, upTo } from '../measure.ts'
import { say } from '../say.ts'
import { StreamReader } from './stream-reader.ts'

type Told =
  | { readonly expect: string }
  | { readonly list: string; readonly times: number; readonly together: number }

const [url = '', password = '', count = '1'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const headers = {
  authorization: `Basic ${Buffer.from(`root:${password}`).toString('base64')}`,
  'accept-encoding': 'gzip',
}

const pages = await Promise.all(Array.from({ length: Number(count) }, () => openPage()))
say({
  first: pages.map(({ first }) => first),
  all: pages.map(({ all }) => all),
  bytes: pages[0]?.reader.bytes ?? 0,
})
for await (const line of createInterface(process.stdin)) {
  const told = JSON.parse(line) as Told
  if ('list' in told) say(await askForList(told))
  else await expectText(told.expect)
}
process.exit()

async function openPage(): Promise<{
  readonly reader: StreamReader
  readonly first: number
  readonly all: number
}> {
  const began = performance.now()
  const since = (): number => performance.now() - began
  const reader = new StreamReader()
  const first = reader.until('event: jobs').then(since)
  const all = reader.until('"left":0,').then(since)
  const answer = await ask('/api/live?jobs=1', false)
  answer.on('data', (chunk: Buffer) => reader.take(chunk))
  return { reader, first: await first, all: await all }
}

async function expectText(text: string): Promise<void> {
  const seen = Promise.all(pages.map(({ reader }) => reader.until(text).then(() => Date.now())))
  say({ ready: true })
  say({ seen: await seen })
}

async function askForList({
  list,
  times,
  together,
}: Extract<Told, { list: string }>): Promise<{ took: number[]; bytes: number }> {
  const took: number[] = []
  let bytes = 0
  await pipeline(upTo(times), together, (_, settle) => {
    const began = performance.now()
    readWhole(`/api/jobs${list}`).then((length) => {
      took.push(performance.now() - began)
      bytes = length
      settle()
    }, settle)
  })
  return { took, bytes }
}

async function readWhole(path: string): Promise<number> {
  const answer = await ask(path, true)
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  return bytes
}

function ask(path: string, isShort: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}${path}`, { headers, ...(isShort ? { agent } : {}) }, (answer) => {
      if (answer.statusCode === 200) resolve(answer)
      else reject(new Error(`${path} was answered with ${answer.statusCode}`))
    })
    request.on('error', reject)
  })
}
