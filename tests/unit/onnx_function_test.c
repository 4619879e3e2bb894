/*
 * onnx_function_test.c - local functions of models, inlined
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_open.h"

/* ---- Functions and their calls ------------------------------------------------------- */

/* A FunctionProto of domain "my" in opset 13, without nodes. */
static struct bytes function_bytes(const char *name, const char *inputs,
                                   const char *outputs)
{
    struct bytes function = {0}, import = {0};

    put_number(&import, BL_OPSET_VERSION, 13);
    put_body(&function, BL_FUNCTION_OPSET_IMPORT, &import);
    put_text(&function, BL_FUNCTION_NAME, name);
    put_text(&function, BL_FUNCTION_DOMAIN, "my");
    put_names(&function, BL_FUNCTION_INPUT, inputs);
    put_names(&function, BL_FUNCTION_OUTPUT, outputs);
    return function;
}

/* A node that calls such a function. */
static struct bytes call_bytes(const char *name, const char *inputs, const char *outputs)
{
    struct bytes node = node_bytes(name, inputs, outputs);

    put_text(&node, BL_NODE_DOMAIN, "my");
    return node;
}

static void inside(struct bytes *function, const char *op, const char *inputs,
                   const char *outputs)
{
    struct bytes node = node_bytes(op, inputs, outputs);

    put_body(function, BL_FUNCTION_NODE, &node);
}

static void inside_call(struct bytes *function, const char *name, const char *inputs,
                        const char *outputs)
{
    struct bytes node = call_bytes(name, inputs, outputs);

    put_body(function, BL_FUNCTION_NODE, &node);
}

static void call(struct bytes *graph, const char *name, const char *inputs,
                 const char *outputs)
{
    struct bytes node = call_bytes(name, inputs, outputs);

    put_body(graph, BL_GRAPH_NODE, &node);
}

/* A model of the graph and up to two functions, all of which are emptied. */
static struct bytes with_functions(struct bytes *graph, struct bytes *a, struct bytes *b)
{
    struct bytes model = model_bytes(8, 13, graph);

    put_import(&model, "my", 1);
    put_body(&model, BL_MODEL_FUNCTIONS, a);
    if (b != NULL)
        put_body(&model, BL_MODEL_FUNCTIONS, b);
    return model;
}

static void inlines_to(struct bytes *model, const char *lines)
{
    struct opened opened = open_model(model);

    assert_string_equal(lines_of(opened.graph), lines);
    close_opened(&opened);
}

/* ---- Names ----------------------------------------------------------------------------- */

static void inlines_calls(void **state)
{
    struct bytes graph = {0}, node;
    struct bytes inner = function_bytes("Twice", "a", "b");
    struct bytes outer = function_bytes("Four", "a", "b");

    (void)state;
    inside(&inner, "Add", "a a", "b");
    inside_call(&outer, "Twice", "a", "t");
    inside_call(&outer, "Twice", "t", "b");
    add_inputs(&graph, "x", 3);
    node = call_bytes("Four", "x", "t");
    put_text(&node, BL_NODE_NAME, "first");
    put_body(&graph, BL_GRAPH_NODE, &node);
    call(&graph, "Four", "t", "y");
    add_outputs(&graph, "y", 3);
    struct bytes model = with_functions(&graph, &outer, &inner);
    struct opened opened = open_model(&model);

    assert_string_equal(lines_of(opened.graph), "Add(x,x)->first/t Add(first/t,first/t)->t "
                                                "Add(t,t)->y/t Add(y/t,y/t)->y ");
    assert_string_equal(opened.graph->nodes[0].node.name, "first/t/b");
    assert_string_equal(opened.graph->nodes[3].node.name, "y/b/b");
    close_opened(&opened);
}

/* Names that values of the graph have, or other calls made, also further on in the file. */
static void avoids_names_that_are_taken(void **state)
{
    struct bytes graph = {0};
    struct bytes function = function_bytes("F", "a", "b");

    (void)state;
    inside(&function, "Neg", "a", "t");
    inside(&function, "Abs", "t", "b");
    add_inputs(&graph, "x", 3);
    call(&graph, "F", "x", "y");
    add_node(&graph, "Relu", "y", "y/t");
    add_initializer(&graph, "y/t_1", BL_SHAPE(1), (const float[]){1});
    add_outputs(&graph, "y/t", 3);
    struct bytes model = with_functions(&graph, &function, NULL);

    inlines_to(&model, "Neg(x)->y/t_2 Abs(y/t_2)->y Relu(y)->y/t ");
}

static void passes_on_absent_inputs_and_outputs(void **state)
{
    struct bytes graph = {0};
    struct bytes function = function_bytes("Bound", "a lo hi", "b extra");

    (void)state;
    inside(&function, "Clip", "a lo hi", "b");
    inside(&function, "Neg", "b", "extra");
    add_inputs(&graph, "x h", 3);
    call(&graph, "Bound", "x - h", "y");
    call(&graph, "Bound", "y", "- z");
    add_outputs(&graph, "z", 3);
    struct bytes model = with_functions(&graph, &function, NULL);

    inlines_to(&model, "Clip(x,-,h)->y Neg(y)->y/extra Clip(y)->z/b Neg(z/b)->z ");
}

static void tells_overloads_and_domains_apart(void **state)
{
    struct bytes graph = {0}, node;
    struct bytes one = function_bytes("Add", "a b", "c");
    struct bytes two = function_bytes("Add", "a b", "c");

    (void)state;
    inside(&one, "Sub", "a b", "c");
    inside(&two, "Mul", "a b", "c");
    put_text(&two, BL_FUNCTION_OVERLOAD, "two");
    add_inputs(&graph, "x", 3);
    add_node(&graph, "Add", "x x", "p");
    call(&graph, "Add", "p x", "q");
    node = call_bytes("Add", "q x", "y");
    put_text(&node, BL_NODE_OVERLOAD, "two");
    put_body(&graph, BL_GRAPH_NODE, &node);
    add_outputs(&graph, "y", 3);
    struct bytes model = with_functions(&graph, &one, &two);

    inlines_to(&model, "Add(x,x)->p Sub(p,x)->q Mul(q,x)->y ");
}

/* The nodes of a function are in the opset that it imports, whatever the graph does. */
static void uses_the_opset_of_the_function(void **state)
{
    struct bytes graph = {0};
    struct bytes function = function_bytes("F", "a", "b");

    (void)state;
    inside(&function, "Add", "a a", "b");
    add_inputs(&graph, "x", 3);
    add_node(&graph, "Add", "x x", "t");
    call(&graph, "F", "t", "y");
    struct bytes model = model_bytes(8, 7, &graph);

    put_body(&model, BL_MODEL_FUNCTIONS, &function);
    struct opened opened = open_model(&model);

    assert_int_equal(opened.graph->nodes[0].node.op->since, 7);
    assert_int_equal(opened.graph->nodes[1].node.op->since, 13);
    close_opened(&opened);
}

/* ---- Attributes --------------------------------------------------------------------------- */

/* LeakyRelu whose alpha is the function's slope, by default 0.25, if `has_default`. */
static struct bytes leaky_function(bool has_default)
{
    struct bytes function = function_bytes("Leaky", "a", "b"), attribute, node;

    if (has_default) {
        attribute = attribute_bytes("slope", BL_ATTRIBUTE_FLOAT);
        put_float(&attribute, BL_ATTRIBUTE_FIELD_F, 0.25F);
        put_body(&function, BL_FUNCTION_ATTRIBUTE_PROTO, &attribute);
    } else {
        put_text(&function, BL_FUNCTION_ATTRIBUTE, "slope");
    }
    node = node_bytes("LeakyRelu", "a", "b");
    attribute = attribute_bytes("alpha", BL_ATTRIBUTE_FLOAT);
    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "slope");
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&function, BL_FUNCTION_NODE, &node);
    return function;
}

/* The model of one call of it, with an attribute if that is not NULL. */
static struct bytes leaky_model(bool has_default, struct bytes *attribute)
{
    struct bytes graph = {0}, function = leaky_function(has_default);
    struct bytes node = call_bytes("Leaky", "x", "y");

    if (attribute != NULL)
        put_body(&node, BL_NODE_ATTRIBUTE, attribute);
    add_inputs(&graph, "x", 3);
    put_body(&graph, BL_GRAPH_NODE, &node);
    return with_functions(&graph, &function, NULL);
}

static void resolves_attributes(void **state)
{
    static const struct {
        bool given, has_default;
        float alpha;
    } cases[] = {{true, true, 0.5F}, {false, true, 0.25F}, {true, false, 0.5F}};

    (void)state;
    for (size_t i = 0; i < BL_COUNT_OF(cases); i++) {
        struct bytes slope = attribute_bytes("slope", BL_ATTRIBUTE_FLOAT);

        put_float(&slope, BL_ATTRIBUTE_FIELD_F, 0.5F);
        struct bytes model =
            leaky_model(cases[i].has_default, cases[i].given ? &slope : NULL);

        bytes_free(&slope);
        struct opened opened = open_model(&model);
        const bl_node *node = &opened.graph->nodes[0].node;

        assert_int_equal(node->attribute_count, 1);
        assert_string_equal(node->attributes[0].name, "alpha");
        assert_true(node->attributes[0].value.f == cases[i].alpha);
        close_opened(&opened);
    }
    struct bytes model = leaky_model(false, NULL);
    struct opened opened = open_model(&model);

    assert_int_equal(opened.graph->nodes[0].node.attribute_count, 0);
    close_opened(&opened);
}

/* A reference to an attribute of the function around, which is one itself. */
static void resolves_nested_attributes(void **state)
{
    struct bytes graph = {0}, node, attribute;
    struct bytes inner = leaky_function(true);
    struct bytes outer = function_bytes("Outer", "a", "b");

    (void)state;
    put_text(&outer, BL_FUNCTION_ATTRIBUTE, "s");
    node = call_bytes("Leaky", "a", "b");
    attribute = attribute_bytes("slope", BL_ATTRIBUTE_FLOAT);
    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "s");
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&outer, BL_FUNCTION_NODE, &node);
    add_inputs(&graph, "x", 3);
    node = call_bytes("Outer", "x", "y");
    attribute = attribute_bytes("s", BL_ATTRIBUTE_FLOAT);
    put_float(&attribute, BL_ATTRIBUTE_FIELD_F, 8);
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&graph, BL_GRAPH_NODE, &node);
    struct bytes model = with_functions(&graph, &inner, &outer);
    struct opened opened = open_model(&model);

    assert_true(opened.graph->nodes[0].node.attributes[0].value.f == 8);
    close_opened(&opened);
}

static void refuses_attributes(void **state)
{
    struct bytes attribute = attribute_bytes("slope", BL_ATTRIBUTE_INT);
    struct bytes model = leaky_model(true, &attribute);

    (void)state;
    refused(
        &model, BL_ERR_ATTRIBUTE,
        "node 'y/b': attribute 'alpha' refers to 'slope' of function 'Leaky', which is of "
        "another type");
    attribute = attribute_bytes("slop", BL_ATTRIBUTE_FLOAT);
    model = leaky_model(true, &attribute);
    refused(&model, BL_ERR_ATTRIBUTE, "node 'y': function 'Leaky' has no attribute 'slop'");
}

/* ---- What is refused ---------------------------------------------------------------------- */

/* The function with this body, called once as F(x) -> y. */
static void body_refused(struct bytes *function, bl_status status, const char *message)
{
    struct bytes graph = {0};

    add_inputs(&graph, "x", 3);
    call(&graph, "F", "x", "y");
    add_outputs(&graph, "y", 3);
    struct bytes model = with_functions(&graph, function, NULL);

    refused(&model, status, message);
}

static void refuses_bodies(void **state)
{
    struct bytes function = function_bytes("F", "a", "b"), node, attribute;

    (void)state;
    inside(&function, "Add", "a x", "b");
    body_refused(&function, BL_ERR_FORMAT, "node 'y/b': nothing produces its input 'y/x'");
    function = function_bytes("F", "a", "b");
    inside(&function, "Neg", "a", "c");
    body_refused(&function, BL_ERR_FORMAT, "nothing produces the output 'y'");
    function = function_bytes("F", "a", "b");
    inside(&function, "Neg", "a", "a");
    body_refused(&function, BL_ERR_FORMAT, "node 'y/a' puts out 'x', which is already");
    function = function_bytes("F", "a", "b");
    inside(&function, "Frobnicate", "a", "b");
    body_refused(&function, BL_ERR_OPERATOR,
                 "node 'y/b': unknown operator 'Frobnicate' in ai.onnx");
    function = function_bytes("F", "a", "a");
    body_refused(&function, BL_ERR_FORMAT,
                 "function 'F': two of its inputs and outputs are called 'a'");
    function = function_bytes("F", "", "b");
    body_refused(&function, BL_ERR_ARITY,
                 "node 'y': function 'F' has 0 inputs and 1 outputs, not 1 and 1");
    function = function_bytes("F", "a", "b");
    node = node_bytes("If", "a", "b");
    attribute = attribute_bytes("then_branch", 5);
    put_body(&node, BL_NODE_ATTRIBUTE, &attribute);
    put_body(&function, BL_FUNCTION_NODE, &node);
    body_refused(&function, BL_ERR_UNSUPPORTED,
                 "node 'y/b' (If): attribute 'then_branch' is a subgraph");
    function = function_bytes("F", "a", "b");
    attribute = attribute_bytes("k", BL_ATTRIBUTE_INT);
    put_text(&attribute, BL_ATTRIBUTE_FIELD_REF_NAME, "k");
    put_body(&function, BL_FUNCTION_ATTRIBUTE_PROTO, &attribute);
    body_refused(&function, BL_ERR_FORMAT,
                 "function 'F': the default of an attribute refers to 'k'");
}

static void refuses_functions_without_an_opset(void **state)
{
    struct bytes function = {0};

    (void)state;
    put_text(&function, BL_FUNCTION_NAME, "F");
    put_text(&function, BL_FUNCTION_DOMAIN, "my");
    put_names(&function, BL_FUNCTION_INPUT, "a");
    put_names(&function, BL_FUNCTION_OUTPUT, "b");
    inside(&function, "Neg", "a", "b");
    body_refused(&function, BL_ERR_OPERATOR, "node 'y/b': no opset of ai.onnx is imported");
}

static void refuses_two_of_a_name(void **state)
{
    struct bytes graph = {0};
    struct bytes one = function_bytes("F", "a", "b");
    struct bytes two = function_bytes("F", "c", "d");
    struct bytes model = with_functions(&graph, &one, &two);

    (void)state;
    refused(&model, BL_ERR_FORMAT, "there are two functions 'F' of domain 'my'");
}

static void refuses_recursion(void **state)
{
    struct bytes function = function_bytes("F", "a", "b");

    (void)state;
    inside_call(&function, "F", "a", "b");
    body_refused(&function, BL_ERR_LIMIT, "or function 'F' calls itself");
}

/* 30 functions, each of which calls the one before twice: 2^30 nodes, from some 3 kB. */
static void refuses_what_grows_without_end(void **state)
{
    struct bytes graph = {0};
    char name[8], before[8];

    (void)state;
    add_inputs(&graph, "x", 3);
    call(&graph, "F29", "x", "y");
    struct bytes model = model_bytes(8, 13, &graph);

    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "F%d", i);
        snprintf(before, sizeof before, "F%d", i - 1);
        struct bytes function = function_bytes(name, "a", "b");

        if (i == 0) {
            inside(&function, "Neg", "a", "b");
        } else {
            inside_call(&function, before, "a", "t");
            inside_call(&function, before, "t", "b");
        }
        put_body(&model, BL_MODEL_FUNCTIONS, &function);
    }
    refused(&model, BL_ERR_LIMIT, "the functions of the model stand for too many nodes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inlines_calls),
        cmocka_unit_test(avoids_names_that_are_taken),
        cmocka_unit_test(passes_on_absent_inputs_and_outputs),
        cmocka_unit_test(tells_overloads_and_domains_apart),
        cmocka_unit_test(uses_the_opset_of_the_function),
        cmocka_unit_test(resolves_attributes),
        cmocka_unit_test(resolves_nested_attributes),
        cmocka_unit_test(refuses_attributes),
        cmocka_unit_test(refuses_bodies),
        cmocka_unit_test(refuses_functions_without_an_opset),
        cmocka_unit_test(refuses_two_of_a_name),
        cmocka_unit_test(refuses_recursion),
        cmocka_unit_test(refuses_what_grows_without_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
