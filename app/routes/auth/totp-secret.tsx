/** The secret for an authenticator app, to scan or type. */
import { Code, Flex } from '@radix-ui/themes'
import { CopyButton } from './copy-button.tsx'

export function TotpSecret({ secret, qr }: { secret: string; qr: { size: number; path: string } }) {
  return (
    <Flex direction="column" gap="3" align="center">
      <svg
        role="img"
        aria-label="QR code of the secret key, for an authenticator app"
        width={228}
        height={228}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        shapeRendering="crispEdges"
      >
        <rect width={qr.size} height={qr.size} fill="#fff" />
        <path d={qr.path} fill="#000" />
      </svg>
      <Flex gap="2" align="center" justify="center" wrap="wrap">
        <Code size="3" id="totp-secret" style={{ overflowWrap: 'anywhere' }}>
          {secret}
        </Code>
        <CopyButton text={secret} />
      </Flex>
    </Flex>
  )
}
