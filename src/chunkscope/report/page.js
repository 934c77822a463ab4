(function () {
  "use strict";
  var form = document.getElementById("filters");
  if (!form) { return; }
  var names = ["change", "a", "b", "signature"];
  var shown = document.getElementById("shown");
  var rows = Array.prototype.slice.call(document.querySelectorAll("table.questions tbody tr"));
  var parts = Array.prototype.slice.call(document.querySelectorAll("#chosen > details"));

  function matches(item, wanted, words) {
    return names.every(function (name) {
      return !wanted[name] || item.dataset[name] === wanted[name];
    }) && words.every(function (word) {
      return item.dataset.text.indexOf(word) >= 0;
    });
  }

  function apply() {
    var wanted = {};
    names.forEach(function (name) { wanted[name] = form.elements[name].value; });
    var words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    rows.forEach(function (row) {
      var kept = matches(row, wanted, words);
      row.hidden = !kept;
      count += kept ? 1 : 0;
    });
    parts.forEach(function (part) { part.hidden = !matches(part, wanted, words); });
    shown.textContent = count + " of " + rows.length + " questions";
  }

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  window.addEventListener("beforeprint", function () {
    parts.forEach(function (part) { part.open = true; });
  });
  apply();
}());
