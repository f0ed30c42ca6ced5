import { type JuteWriter, type Operation, serverError } from '@elasticjob/zookeeper/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CoreClient, CoreHarness, opCode, operations } from '../core-client.ts'

let client: CoreClient

beforeEach(() => {
  client = new CoreHarness().connected()
})

describe('a reconfiguration', () => {
  const reconfig = (writeRequest: (writer: JuteWriter) => void): Operation<void, void> => ({
    ...operations.ping,
    code: opCode.reconfig,
    writeRequest,
  })

  it('is rejected, and uses a zxid', () => {
    const request = reconfig((writer) => {
      for (let i = 0; i < 3; i++) writer.string(null)
      writer.long(-1n)
    })
    const refusal = { error: serverError.RECONFIG_DISABLED, zxid: 2 }
    expect(client.call(request, undefined)).toMatchObject(refusal)
  })

  it('that is malformed uses no zxid', () => {
    const request = reconfig((writer) => writer.string(null))
    const refusal = { error: serverError.MARSHALLING_ERROR, zxid: 1 }
    expect(client.call(request, undefined)).toMatchObject(refusal)
  })
})
