/** The Messages API (v1) of Vonage, on loopback: takes texts signed for by the application's key. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'

export const APPLICATION = '78d335fa-323d-4114-9c3d-d6f0d48968cf'
export const SECRET = 'the-signature-secret-of-the-account'
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const PRIVATE_KEY = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export type VonageBehavior = 'take' | 'drop' | 'take and drop' | { status: number; body: object }

/** As Vonage refuses: RFC 7807. */
export const problem = (status: number, code: number, title = 'Rejected') => ({
  status,
  body: {
    type: `https://developer.vonage.com/api-errors/messages#${code}`,
    title,
    detail: title,
    instance: randomUUID(),
  },
})

export async function startVonage(behave: () => VonageBehavior = () => 'take') {
  const taken: Record<string, string>[] = []
  const server = createServer(async (req, res) => {
    const behavior = behave()
    if (behavior === 'drop') return void req.socket.destroy()
    const answer = typeof behavior === 'object' ? behavior : await answerTo(req, taken)
    if (behavior === 'take and drop') return void req.socket.destroy()
    send(res, answer)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function answerTo(req: IncomingMessage, taken: Record<string, string>[]) {
  const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const known = await jwtVerify(token, keys.publicKey, { algorithms: ['RS256'] }).catch(() => null)
  const { application_id, jti, iat } = known?.payload ?? {}
  if (application_id !== APPLICATION || !jti || !iat) return problem(401, 1000, 'Unauthorized')
  if (req.method !== 'POST' || req.url !== '/v1/messages') return { status: 404, body: {} }
  const body = JSON.parse(await read(req))
  const isText = body.message_type === 'text' && body.channel === 'sms' && body.text
  if (!isText || !body.from) return problem(422, 1010, 'Missing params')
  if (!/^[1-9]\d{6,14}$/.test(body.to)) return problem(422, 1170, 'Invalid or Missing Msisdn Param')
  if (String(body.client_ref ?? '').length > 100) return problem(422, 1020, 'Invalid params')
  const message_uuid = randomUUID()
  taken.push({ ...body, message_uuid })
  return { status: 202, body: { message_uuid } }
}

function send(res: ServerResponse, { status, body }: { status: number; body: object }): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify(body))
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
