import { expect, test } from 'vitest'

import { javaTracingOf } from '../../src/config/java-entry.ts'

function entryOf(tag: string, props: readonly string[], type = 'RDB'): string {
  return [
    `!!${tag}`,
    'tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration',
    '  dataSourceClassName: com.example.Pool',
    '  props:',
    ...props.map((line) => `    ${line}`),
    `type: ${type}`,
  ].join('\n')
}

const newer = 'org.apache.shardingsphere.elasticjob.kernel.tracing.yaml.YamlTracingConfiguration'
const older = 'org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration'

test.for([
  [newer, ['jdbcUrl: jdbc:mysql://db/jobs', 'username: me', 'password: secret']],
  [older, ['url: jdbc:mysql://db/jobs', 'username: me', 'password: secret', 'maxTotal: 8']],
  [older, ['url: jdbc:mysql://db/jobs', 'user: me', 'password: secret']],
] as const)('is found by its class, in any package of Java’s', ([tag, props]) => {
  const other = '!!org.example.Other\ntype: RDB'
  expect(javaTracingOf([other, entryOf(tag, props)])).toEqual({ url: 'mysql://me:secret@db/jobs' })
})

test('javaTracingOf returns undefined without an entry', () => {
  expect(javaTracingOf([])).toBeUndefined()
  expect(javaTracingOf(['!!org.example.Other\ntype: RDB'])).toBeUndefined()
})

test('javaTracingOf returns why an entry cannot be used', () => {
  expect(javaTracingOf([entryOf(newer, [], 'KAFKA')])?.reason).toMatch(/type "KAFKA"/)
  expect(javaTracingOf([entryOf(newer, ['jndi: x'])])?.reason).toMatch(/no URL/)
})
