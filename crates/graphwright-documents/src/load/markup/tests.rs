use super::{asciidoc, rst};

#[test]
fn restructured_text_becomes_markdown() {
    let text = "\
=====
Gates
=====

:Author: Ada Roe
:Reviewers: Bo Ek,
   Cy Lund
:Status: open

.. _ropes: https://example.org/ropes
.. A comment.

How to open
-----------

Use ``gate --open`` on the `quay <quay.rst>`_, with ropes_ of :class:`Rope`; see :doc:`knots <../knots>`.

* First
* Second, which
  goes on

  * Inner

#. One

.. note:: Mind the *tide*.

   It turns.

Then run::

    gate --open

.. code-block:: rust

   let a = 1;

.. image:: a.png
   :alt: A gate

Inner part
~~~~~~~~~~

+-------+--------+
| Gate  | Width  |
+=======+========+
| North | 4 m    |
+-------+--------+

=====  =====
Gate   Owner
=====  =====
South  Ada
West   Bo of
       Orsk
=====  =====

.. list-table:: Ropes
   :header-rows: 1

   * - Rope
     - Length
   * - Blue
     - 4
";
    insta::assert_snapshot!(rst(text));
}

#[test]
fn asciidoc_becomes_markdown() {
    let text = "\
= Gates
Ada Roe <ada@example.org>; Bo Ek
v1.2, 2024-03-01
:status: open
:firm: Gate Works
:toc:

// A comment.
{firm} opens *all* gates. See link:quay.adoc[the quay], <<ropes,ropes>>, xref:knots.adoc#a[knots] and https://example.org[that].

[[ropes]]
== Ropes

* First
** Inner
. One

.Title of a list
- Item

Rope:: A thing of hemp.
Knot::
  It is tied.

NOTE: Mind the tide.

[source,rust]
----
let a = 1; // = no heading
----

image::a.png[]

|===
|Gate |Width

|North
|4 m

|South |5 m
|===

=== Inner part

====
An example.
====
";
    insta::assert_snapshot!(asciidoc(text));
}

#[test]
fn nothing_makes_them_break_off() {
    for text in [
        "",
        "===",
        "..",
        ".. x::",
        "+--+",
        "== ==\n== ==\n",
        "----",
        "|===",
        "::",
        ":a:",
        "= ",
        "`",
        "<<",
        "[",
        "\u{e4}\n=\n",
        "  \u{e4}::\n\n \u{2003}b",
    ] {
        let _ = (rst(text), asciidoc(text));
    }
}
