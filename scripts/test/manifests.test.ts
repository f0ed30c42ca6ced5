import { expect, test } from 'vitest'

import { publishOrder, withVersion } from '../manifests.ts'

const client = { name: '@elasticjob/zookeeper', version: '0.1.0' }
const server = {
  name: '@elasticjob/zookeeper-server',
  version: '0.1.0',
  dependencies: { '@elasticjob/zookeeper': '0.1.0', yaml: '2.9.1' },
}

test('a version is given to the package and to its siblings, to nobody else', () => {
  expect(withVersion(client, '0.2.0')).toEqual({ ...client, version: '0.2.0' })
  expect(withVersion(server, '0.2.0')).toEqual({
    ...server,
    version: '0.2.0',
    dependencies: { '@elasticjob/zookeeper': '0.2.0', yaml: '2.9.1' },
  })
})

test('what others depend on is published first', () => {
  expect(publishOrder([server, client])).toEqual([client, server])
})

test('packages in a circle cannot be published', () => {
  const circular = { ...client, dependencies: { [server.name]: '0.1.0' } }
  expect(() => publishOrder([server, circular])).toThrow('depend on each other')
})
