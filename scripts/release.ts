/**
 * `npm run release -- 1.2.3`: makes the working tree that release and prints how to publish it.
 * It publishes nothing, and it changes nothing before every check has passed.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

import { releaseChangelog } from './changelog.ts'
import type { Manifest } from './manifests.ts'
import { publishOrder, withVersion } from './manifests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageFolders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)

try {
  await release(process.argv[2] ?? '')
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function release(version: string): Promise<void> {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw new Error('give the version, such as `npm run release -- 1.2.3`')
  }
  if (run('git', 'status', '--porcelain') !== '') throw new Error('the working tree is not clean')
  const today = new Date().toISOString().slice(0, 10)
  const changelog = releaseChangelog(read('CHANGELOG.md'), version, today)
  buildAfresh()
  await lintPackages()

  write('CHANGELOG.md', changelog)
  for (const folder of ['.', ...packageFolders]) {
    const path = join(folder, 'package.json')
    write(path, `${JSON.stringify(withVersion(manifestOf(folder), version), null, 2)}\n`)
  }
  run('npm', 'install', '--package-lock-only', '--ignore-scripts')
  printNextSteps(version)
}

/** Without the old `dist` folders: a file whose source is gone would be published with the rest. */
function buildAfresh(): void {
  for (const folder of packageFolders)
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true })
  run('npm', 'run', 'build')
}

async function lintPackages(): Promise<void> {
  for (const folder of packageFolders) {
    const { messages, pkg } = await publint({ pkgDir: join(root, folder), strict: true })
    const sentences = messages.map((message) => formatMessage(message, pkg) ?? message.code)
    if (sentences.length > 0) throw new Error(`${folder}: ${sentences.join('\n')}`)
  }
}

function printNextSteps(version: string): void {
  const published = publishOrder(packageFolders.map(manifestOf).filter((each) => !each.private))
  const commands = [
    `git commit --all --message 'Release ${version}'`,
    `git tag v${version}`,
    ...published.map(({ name }) => `npm publish --access public --workspace ${name}`),
    'git push --follow-tags',
  ]
  console.log(`The working tree is ${version}. Look at the difference, then:\n`)
  console.log(commands.map((command) => `  ${command}`).join('\n'))
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(read(join(folder, 'package.json'))) as Manifest
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text)
}

function run(file: string, ...args: string[]): string {
  return execFileSync(file, args, { cwd: root, encoding: 'utf8' }).trim()
}
