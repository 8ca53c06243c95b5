/** A form that could not be accepted at this place or time, with its input and the reason. */
import { type KeptForm, KeptFormFields } from '#app/ui/form/kept-form.tsx'
import { Screen } from './screen.tsx'

export function KeptFormScreen(form: KeptForm) {
  const { title, hint } = keptWords(form)
  return (
    <Screen title={title} hint={hint}>
      <KeptFormFields {...form} />
    </Screen>
  )
}

const KEPT = 'then come back and send what you typed: it is kept on this page.'

function keptWords({ needs, ended, drawn_for, here }: KeptForm): { title: string; hint: string } {
  if (needs === 'second_factor')
    return {
      title: 'One step first',
      hint: `You need a second factor here. Set one up in a new tab, ${KEPT}`,
    }
  if (needs === 'sign_in')
    return {
      title: 'You are logged out',
      hint: ended
        ? `${ended} Nothing was saved. Once you can sign in again, do so in a new tab, ${KEPT}`
        : `Your session ended before this arrived, so nothing was saved. Sign in again in a new tab, ${KEPT}`,
    }
  if (needs === 'open_place')
    return {
      title: 'You can no longer work there',
      hint: `This form belongs to ${drawn_for}. That place is inactive or no longer open to you, so nothing was saved. If you get back in, in a new tab, ${KEPT}`,
    }
  if (needs === 'away')
    return {
      title: 'It could not be sent just now',
      hint: 'We could not be reached for a moment, so nothing was saved. What you typed is kept on this page: wait a little, then send it again.',
    }
  return {
    title: 'You switched before this was sent',
    hint: `This form belongs to ${drawn_for}, and you are in ${here} now, so nothing was saved. Go back to where it belongs in a new tab, ${KEPT}`,
  }
}
