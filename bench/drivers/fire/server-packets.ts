import { connect } from 'node:net'

/** How many packets a server has taken and sent so far: requests, and answers with events. */
export async function serverPackets(
  connectString: string,
): Promise<{ readonly received: number; readonly sent: number }> {
  const [host = '', port = ''] = connectString.split(':')
  const answer = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host, port: Number(port) }, () => socket.write('srvr'))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
  const metric = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(answer)?.[1])
  return { received: metric('Received'), sent: metric('Sent') }
}
