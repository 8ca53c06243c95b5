export function Terms() {
  return (
    <details className="terms">
      <summary>Read the terms and conditions</summary>
      <p>
        Your company provides this platform to you for learning at work. Your account is yours alone: keep
        your password to yourself, and tell your administrator if someone else might know it.
      </p>
      <p>
        What you answer is kept for your company and is shown as it says beside each question: to nobody but
        you, to your sponsor, to administrators, or only in sums over many people.
      </p>
      <p>
        Lifts reach you by e-mail or, if you agree to it, by text message. Message and data rates may apply;
        reply STOP to any text to end them.
      </p>
      <p>You can ask your administrator at any time for what is stored about you, and for its removal.</p>
    </details>
  )
}
