import { expect, test } from 'vitest'
import { crc32 } from 'node:zlib'
import { encodeHeader, headerSize, readHeader } from '../../src/persistence/file-header.ts'
import { MemoryDisk } from './support/disk.ts'

const header = { kind: 'log', directoryId: -77n, zxid: 2 ** 40 } as const

async function read(bytes: Uint8Array, kind: 'log' | 'snapshot' = 'log'): Promise<unknown> {
  const file = await MemoryDisk.of(new Map([['it', bytes]])).open('it', 'read')
  return readHeader(file, 'it', kind, header.zxid)
}

test('file header: reads back what was written', async () => {
  const { bytes, seed } = encodeHeader(header)
  expect(bytes).toHaveLength(headerSize)
  expect(await read(bytes)).toEqual({ ...header, seed })
})

test('readHeader refuses a file of another kind, name or length', async () => {
  const { bytes } = encodeHeader(header)
  const corrupt = { code: 'ZKS_DATA_DIR_CORRUPT', file: 'it', offset: 0 }
  await expect(read(bytes, 'snapshot')).rejects.toMatchObject(corrupt)
  await expect(read(encodeHeader({ ...header, zxid: 1 }).bytes)).rejects.toMatchObject(corrupt)
  await expect(read(bytes.subarray(0, headerSize - 1))).rejects.toMatchObject(corrupt)
  await expect(read(Buffer.alloc(headerSize))).rejects.toMatchObject(corrupt)
})

test('readHeader refuses a file of a later version', async () => {
  const { bytes } = encodeHeader(header)
  bytes.writeInt32BE(2, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, headerSize - 4)), headerSize - 4)
  await expect(read(bytes)).rejects.toMatchObject({
    code: 'ZKS_DATA_DIR_VERSION',
    message: expect.stringContaining('format version 2') as string,
  })
})
