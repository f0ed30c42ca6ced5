import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { classpaths, compileJava, spawnJava } from '../harness/java.ts'
import { printedLines } from './printed-lines.ts'
import { onBothServers } from './servers.ts'

const sources = ['CuratorProgram', 'CuratorRecipes', 'RenewedNode'].map((name) =>
  fileURLToPath(new URL(`java/${name}.java`, import.meta.url)),
)

describe.skipIf(!inject('realZooKeeper'))('a program that uses Curator', () => {
  it('sees the same as with ZooKeeper', async () => {
    const classes = await compileJava(sources, classpaths.curator)
    const { zooKeeper, embedded } = await onBothServers(({ connectString }) =>
      printedLines(
        spawnJava({
          mainClass: 'CuratorProgram',
          classpath: [classes, ...classpaths.curator],
          args: [connectString],
          properties: { 'org.slf4j.simpleLogger.defaultLogLevel': 'warn' },
          stdio: 'pipe',
        }),
      ),
    )
    expect(embedded).toEqual(zooKeeper)
    expect(zooKeeper.at(-1)).toBe('done[]')
  })
})
