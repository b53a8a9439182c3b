// J and K go through the items, Ctrl+Enter saves or asks; Enter asks from the question's own box.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=radio]), textarea, select");
  const press = (id) => {
    const button = document.getElementById(id);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  };
  const asking = event.target.closest?.("#am-question") && !event.shiftKey && !event.isComposing;
  if (event.key === "Enter" && asking) {
    press("am-ask-button");
  } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    if (document.getElementById("am-ask-button")) press("am-ask-button");
    else press(event.target.closest?.("#am-subjective") ? "am-save-subjective" : "am-save-objective");
  } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (event.key === "j") press("am-earlier");
    if (event.key === "k") press("am-later");
  }
});
