/**
 * Dialogs with their own URL: the server renders them open, and closing is a link. With JavaScript the browser's
 * native modal takes over: focus stays inside, Escape closes, and focus returns to the opener.
 */
import { useNavigate } from '@remix-run/react'
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useId, useRef } from 'react'
import { Link } from '#app/ui/link.tsx'
import { SubmitButton } from './form/form.tsx'
import { Form } from './form/scoped-form.tsx'
import { Icon } from './icons.tsx'

type ModalProps = {
  title: ReactNode
  /** The page after closing. */
  closeHref: string
  size?: 'small' | 'medium' | 'large'
  children: ReactNode
}

export function Modal({ title, closeHref, size = 'medium', children }: ModalProps) {
  const titleId = useId()
  return (
    <DialogFrame closeHref={closeHref} size={size} labelledBy={titleId}>
      <h2 className="dialog-title dialog-head" id={titleId}>
        {title}
      </h2>
      {children}
      {/* Last, so that the first field gets the focus. */}
      <Link className="icon-button dialog-close" to={closeHref} preventScrollReset replace>
        <Icon name="close" />
        <span className="hidden-words">Close</span>
      </Link>
    </DialogFrame>
  )
}

export type DialogVariant = 'success' | 'error' | 'warning' | 'info'

type ConfirmDialogProps = {
  title: string
  subtitle?: ReactNode
  message?: ReactNode
  continueText?: string
  cancelHref: string
  /** The color on top: green, red, yellow, primary. */
  variant?: DialogVariant
  /** The action that the answer is posted to; by default this page. */
  action?: string
  /** A document post, for answers that lead out of the site. */
  reloadDocument?: boolean
  /** What is posted with the answer. */
  fields?: Record<string, string | number | readonly number[]>
}

/** A confirmation before something important. Cancelling is a link, confirming a POST. */
export function ConfirmDialog({
  title,
  subtitle,
  message,
  continueText = 'Continue',
  cancelHref,
  variant = 'info',
  action,
  reloadDocument = false,
  fields = {},
}: ConfirmDialogProps) {
  const titleId = useId()
  const messageId = useId()
  return (
    <DialogFrame
      closeHref={cancelHref}
      size="small"
      labelledBy={titleId}
      describedBy={messageId}
      alert
      variant={variant}
    >
      {/* Going back does not lead to a question that was answered. */}
      <Form
        method="post"
        replace
        className="confirm"
        reloadDocument={reloadDocument}
        {...(action ? { action } : {})}
      >
        {Object.entries(fields).flatMap(([name, values]) =>
          [values]
            .flat()
            .map((value) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />),
        )}
        <div className="confirm-words">
          <Icon name={variant} size={24} />
          <div>
            <h2 className="dialog-title" id={titleId}>
              {title}
            </h2>
            {subtitle ? <p className="confirm-subtitle">{subtitle}</p> : null}
            <div id={messageId}>{message ? <div className="confirm-message">{message}</div> : null}</div>
          </div>
        </div>
        <div className="dialog-actions">
          <Link
            className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft"
            data-accent-color="gray"
            to={cancelHref}
            preventScrollReset
            replace
          >
            Cancel
          </Link>
          <SubmitButton {...(variant === 'error' ? { color: 'red' as const } : {})}>
            {continueText}
          </SubmitButton>
        </div>
      </Form>
    </DialogFrame>
  )
}

type DialogFrameProps = {
  closeHref: string
  size: 'small' | 'medium' | 'large'
  labelledBy: string
  describedBy?: string
  alert?: boolean
  variant?: DialogVariant
  children: ReactNode
}

function DialogFrame({
  closeHref,
  size,
  labelledBy,
  describedBy,
  alert,
  variant,
  children,
}: DialogFrameProps) {
  const dialog = useRef<HTMLDialogElement | null>(null)
  const navigate = useNavigate()

  // Closed before it is unmounted: only then does the browser return the focus.
  const hold = useCallback((element: HTMLDialogElement | null) => {
    if (!element) dialog.current?.close()
    dialog.current = element
  }, [])

  // The server renders an open dialog; only the browser can make it modal.
  useEffect(() => {
    const element = dialog.current
    if (!element || element.matches(':modal')) return
    element.close()
    element.showModal()
  }, [])

  const leave = () => navigate(closeHref, { preventScrollReset: true, replace: true })
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault()
    leave()
  }
  // A second Escape cannot be prevented: the dialog is reopened and left by navigation, which asks about unsaved
  // input.
  const close = () => {
    if (!dialog.current || dialog.current.open) return
    dialog.current.showModal()
    leave()
  }
  return (
    <div className="dialog-scrim">
      <dialog
        ref={hold}
        open
        className="dialog"
        data-size={size}
        data-variant={variant}
        role={alert ? 'alertdialog' : undefined}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        onCancel={cancel}
        onClose={close}
      >
        {children}
      </dialog>
    </div>
  )
}
