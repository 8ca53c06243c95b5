/** Final screens of the authenticator, without a form. */
import { Flex, Heading, Text } from '@radix-ui/themes'
import { POLL_SECONDS } from '#app/domain/authenticator/outcomes.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { BackToSignIn } from './authenticator-parts.tsx'

/** The account exists; its user in a company is still being created. */
export function Waiting() {
  return (
    <Flex direction="column" gap="4">
      <meta httpEquiv="refresh" content={String(POLL_SECONDS)} />
      <Heading as="h1" size="6">
        Signing you in
      </Heading>
      <Text as="p" role="status">
        Your account is confirmed. This page checks every few seconds whether everything is ready, for up to
        three minutes.
      </Text>
      <BackToSignIn />
    </Flex>
  )
}

/** A screen that does not exist, or a sign-in that is finished, canceled or expired. */
export function Lost() {
  return (
    <Flex direction="column" gap="4">
      <Heading as="h1" size="6">
        This <span className="unbroken">sign-in</span> has ended
      </Heading>
      <Text as="p">It was finished, or it timed out. Nothing is lost: enter your email and start again.</Text>
      <ButtonLink to="/login">Back to Sign In</ButtonLink>
    </Flex>
  )
}
